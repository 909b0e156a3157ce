"""What describes the API: schema, protocol in words, OpenAPI page, documentation pages, limits of inputs."""

"""Write the digests of container images into `Dockerfile` and the Compose files: `python -m tools digests`."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import click

ROOT = Path(__file__).parent.parent
FILES = ("Dockerfile", "docker-compose.yml", "deploy/compose.nodes.yml")
_IMAGE = re.compile(
    r"^(?P<word>FROM|\s+image:) (?P<name>[a-z/]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?(?=\s|$)", re.MULTILINE
)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@click.command()
@click.option(
    "--answers",
    type=click.Path(exists=True, path_type=Path),
    help="A JSON file with digests by image, in place of Docker's answers.",
)
def digests(answers: Path | None) -> None:
    """Write the digests of images into Dockerfile and the Compose files, beside the tags."""
    digest_of = ask_registry if answers is None else json.loads(answers.read_text("utf-8")).__getitem__
    texts = {name: (ROOT / name).read_text("utf-8") for name in FILES}
    pinned = {name: with_digests(text, digest_of) for name, text in texts.items()}
    for name, text in pinned.items():
        (ROOT / name).write_text(text, "utf-8")
        click.echo(f"{name}: {'as before' if text == texts[name] else 'changed'}")


def with_digests(text: str, digest_of: Callable[[str], str]) -> str:
    """Return a file with the digest of each image beside its tag. `digest_of` gets an image such as `postgres:18`.

    Raises `ClickException` for an answer that is no digest.
    """

    def pinned(found: re.Match[str]) -> str:
        digest = digest_of(found["name"])
        if not _DIGEST.fullmatch(digest):
            raise click.ClickException(f"{found['name']} has no digest: {digest}")
        return f"{found['word']} {found['name']}@{digest}"

    return _IMAGE.sub(pinned, text)


def ask_registry(image: str) -> str:
    """Return the digest that Docker finds for an image for all architectures; raises `ClickException` without one."""
    command = ["docker", "buildx", "imagetools", "inspect", "--format", "{{.Manifest.Digest}}", image]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        raise click.ClickException(f"Docker finds no digest of {image}: {error}") from error

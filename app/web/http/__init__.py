"""What every HTTP request passes: guards, rate limits, errors, HEAD, background work, cached JSON."""

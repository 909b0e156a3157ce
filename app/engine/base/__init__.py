"""Building blocks without cards: frozen values, caches, errors, messages, options, randomness."""

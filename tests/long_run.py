"""The length of tests with random matches. CI plays for seconds; `LONG_RUN=10 make test-py` plays ten times as many."""

import os

TIMES = int(os.environ.get("LONG_RUN", "1"))

"""WebSocket messages: types, parsing, and explanations of errors."""

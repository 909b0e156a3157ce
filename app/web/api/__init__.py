"""JSON endpoints, one module for each subject."""

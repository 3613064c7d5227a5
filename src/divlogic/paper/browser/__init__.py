"""The item browser: every generated instance with its symbolic form and every answer to it, offline."""

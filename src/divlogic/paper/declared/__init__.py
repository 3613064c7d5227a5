"""Tables and figures of each benchmark."""

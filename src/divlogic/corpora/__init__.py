"""The corpora that sentences come from: registry, fetching, reading, normalising."""

"""The release of a benchmark: parquet files, data card and Croissant metadata, made from its jsonl splits."""

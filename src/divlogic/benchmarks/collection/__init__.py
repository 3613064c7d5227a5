"""Every benchmark that is here, read into records: generated ones, imported ones, and the published ones."""

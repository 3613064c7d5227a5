"""Files, tables, figures and progress: what every phase reads and writes with."""

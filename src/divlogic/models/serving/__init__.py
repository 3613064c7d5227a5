"""Language models that the run itself serves (``local/...``): the server's program, its life, and the provider."""

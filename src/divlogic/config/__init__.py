"""The parameters: ``section`` is the base of every section, ``root`` composes them, ``cli`` checks and writes them."""

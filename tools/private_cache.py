"""``python -m tools.private_cache``: a folder of the user's own for what DVC remembers of files.

DVC unpickles what it finds there, and by default it is below ``/var/tmp``, in a folder to which all may write.
"""

from __future__ import annotations

import subprocess
from pathlib import Path


def main() -> None:
    """Make the folder in this checkout, and name it in DVC's settings of this checkout."""
    folder = Path(".dvc/tmp/site").absolute()
    for made in (folder, folder / "repo"):  # DVC would make it writable for all
        made.mkdir(mode=0o700, parents=True, exist_ok=True)
        made.chmod(0o700)
    settings = Path(".dvc/config.local")
    if f"site_cache_dir = {folder}\n" not in (
        settings.read_text("utf-8") if settings.exists() else ""
    ):
        subprocess.run(["dvc", "config", "--local", "core.site_cache_dir", str(folder)], check=True)


if __name__ == "__main__":
    main()

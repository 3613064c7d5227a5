"""What maintains the repository and is no part of the package."""

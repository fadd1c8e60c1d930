"""What the tests of downloads share with those of pages."""

from tests.detection.conftest import owner

__all__ = ["owner"]

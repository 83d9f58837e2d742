"""How things are told to people."""

from __future__ import annotations

from collections.abc import Sequence


def enumerate_names(names: Sequence[str], max_count: int = 3) -> str:
    """Names in a row, and how many more there are."""
    remainder = f" and {len(names) - max_count} more" if len(names) > max_count else ""
    return ", ".join(names[:max_count]) + remainder

"""Text for messages."""

from __future__ import annotations

from collections.abc import Sequence


def enumerate_names(names: Sequence[str], max_count: int = 3) -> str:
    """Return the first names as a list in a sentence, and the number of the others."""
    remainder = f" and {len(names) - max_count} more" if len(names) > max_count else ""
    return ", ".join(names[:max_count]) + remainder


def join_with_and(phrases: Sequence[str]) -> str:
    """Return phrases as a list in a sentence: "a", "a and b" or "a, b and c"."""
    *first, last = phrases
    return f"{', '.join(first)} and {last}" if first else last

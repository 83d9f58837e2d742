"""What the name of a clip says about the gait that it shows."""

from __future__ import annotations

import re

# Beginnings of words that name a gait
WALK_WORDS = ("walk", "stroll", "sneak", "march")
RUN_WORDS = ("run", "jog", "sprint")
LIMP_WORDS = ("limp", "hobbl", "injur", "wound", "hurt", "lame")


def read_gait_from_name(name: str) -> int:
    """Return 1 if a clip is named as a walk, -1 as a run, 0 as neither or both."""
    return int(_has_word(name, WALK_WORDS)) - int(_has_word(name, RUN_WORDS))


def is_named_limp(name: str) -> bool:
    """Return whether a clip is named as a limp."""
    return _has_word(name, LIMP_WORDS)


def _has_word(name: str, beginnings: tuple[str, ...]) -> bool:
    """Return whether a word of a name, as in `Man_WalkFast`, has one of some beginnings."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return any(word.startswith(beginnings) for word in words)

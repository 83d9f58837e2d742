"""A body that was recognised, in words."""
from __future__ import annotations

from .anatomy import Anatomy

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 8: "eight"}


def described(found: Anatomy) -> str:
    """A body in a few words: 'a body on four legs, the hind ones of three segments'."""
    count = len(found.legs)
    segments = {leg.row: len(leg.segments) for leg in found.legs}
    words = f"a body on {NUMBERS.get(count, str(count))} legs"
    if set(segments.values()) == {2}:
        return words
    if len(set(segments.values())) == 1:
        return f"{words} of {NUMBERS.get(segments[0], str(segments[0]))} segment{'s' if segments[0] > 1 else ''}"
    if len(segments) == 2:
        return f"{words}, {NUMBERS[segments[0]]} segments in the hind ones and {NUMBERS[segments[1]]} in the front ones"
    return words

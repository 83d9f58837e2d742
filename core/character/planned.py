"""What can be planned for of all that is recognised."""
from __future__ import annotations

from ..errors import CharacterError
from .anatomy import Anatomy
from .bones import Skeleton

NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 8: "eight"}


def unplanned(found: Anatomy, skeleton: Skeleton) -> str:
    """Why a body that was recognised cannot be planned for, a sentence; empty where it can."""
    told = described(found)
    if len(found.legs) != 2:
        return f"This is {told}. It is recognised, but Footfall plans only for two legs so far."
    if max(len(leg.segments) for leg in found.legs) > 2:
        return f"This is {told}. It is recognised, but Footfall plans only for legs with one knee so far."
    return ""


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


def refuse_unplanned(found: Anatomy, skeleton: Skeleton) -> None:
    """Make sure that a body can be planned for.

    Raises:
        CharacterError: it cannot.
    """
    why = unplanned(found, skeleton)
    if why:
        raise CharacterError(why)

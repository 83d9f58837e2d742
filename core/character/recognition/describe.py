"""Description of a recognized body in words."""

from __future__ import annotations

from .anatomy import Anatomy

NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 8: "eight"}


def describe_anatomy(anatomy: Anatomy) -> str:
    """Return a short description, such as 'a body on two legs of three segments'."""
    count = len(anatomy.legs)
    segments = {leg.row: len(leg.segments) for leg in anatomy.legs}
    words = f"a body on {NUMBER_WORDS.get(count, str(count))} legs"
    if set(segments.values()) == {2}:
        return words
    if len(set(segments.values())) == 1:
        return (
            f"{words} of {NUMBER_WORDS.get(segments[0], str(segments[0]))} "
            f"segment{'s' if segments[0] > 1 else ''}"
        )
    if len(segments) == 2:
        return (
            f"{words}, {NUMBER_WORDS[segments[0]]} segments in the hind ones and "
            f"{NUMBER_WORDS[segments[1]]} in the front ones"
        )
    return words

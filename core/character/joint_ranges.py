"""Characters whose joints have other ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..errors import CharacterError
from ..files.values import show_names, show_value
from .character import Character

# Lower and upper limit of each hinge of a joint, 0 in the neutral pose [rad]
HingeRanges = tuple[tuple[float, float], ...]


def change_joint_ranges(character: Character, ranges: Mapping[str, HingeRanges]) -> Character:
    """Return a character some of whose joints have other ranges.

    Args:
        ranges: of the hinges of a joint by its name.

    Raises:
        CharacterError: there is no such joint, it has another number of hinges, or a range does
            not contain 0.
    """
    counts = {link.joint.name: len(link.joint.axes) for link in character.links}
    hinged = [name for name, count in counts.items() if count]
    for name, new in ranges.items():
        if name not in hinged:
            raise CharacterError(
                f"{character.name!r} has no joint {show_value(name)} with hinges; those are: "
                f"{show_names(hinged)}."
            )
        if len(new) != counts[name]:
            raise CharacterError(
                f"The joint {name!r} of {character.name!r} has {counts[name]} hinges; it cannot "
                f"have {len(new)} ranges."
            )
    return replace(
        character,
        links=tuple(
            replace(link, joint=replace(link.joint, ranges=ranges[link.joint.name]))
            if link.joint.name in ranges
            else link
            for link in character.links
        ),
    )

"""Which body a controller of a user was trained for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from .biped import REFERENCE_MASS, Biped, scale_to_reference
from .parts import MovementPart

Array = NDArray[np.float64]

# Largest difference of the numbers of two bodies that count as one, that of networks of the engine
# 'learned': a character that is read again differs by rounding
MAX_DIFFERENCE = 2e-3
# Number of hexadecimal digits of the label of a body
LABEL_LENGTH = 8


@dataclass(frozen=True)
class BodyIdentity:
    """A biped in the units of the controllers, whatever its size, mass and name.

    Args:
        numbers: places [m], masses and inertias as shares of the body's mass [1], [m^2], and ranges
            of the joints [rad].
    """

    numbers: tuple[float, ...]

    @staticmethod
    def from_biped(biped: Biped) -> BodyIdentity:
        """Return the identity of a body.

        How arms and head move does not count, as a style of the upper body changes that.
        """
        parts = [biped.upper_body, biped.pelvis]
        parts += [part for leg in biped.legs for part in leg.parts]
        parts += [replace(part, hinges=()) for limb in biped.upper_limbs for part in limb.parts]
        sole = biped.sole
        values = [
            *(_list_numbers(part) for part in parts),
            np.array([sole.heel, sole.tip, sole.half_width, sole.ankle_height]),
        ]
        return BodyIdentity(tuple(np.round(np.concatenate(values), 4).tolist()))

    def matches(self, other: BodyIdentity) -> bool:
        """Return whether a controller of one moves the other."""
        return (
            len(self.numbers) == len(other.numbers)
            and float(np.abs(np.subtract(self.numbers, other.numbers)).max()) < MAX_DIFFERENCE
        )

    @property
    def label(self) -> str:
        """Short digest for names of files."""
        text = str(np.round(self.numbers, 2).tolist())
        return hashlib.sha256(text.encode()).hexdigest()[:LABEL_LENGTH]


def _list_numbers(part: MovementPart) -> Array:
    """Return the numbers of a part (n,)."""
    hinges = [(*hinge.axis, hinge.low, hinge.high) for hinge in part.hinges]
    inertia = part.inertia[np.triu_indices(3)]
    return np.concatenate(
        [
            part.joint,
            part.center,
            [part.mass / REFERENCE_MASS],
            inertia / REFERENCE_MASS,
            np.ravel(hinges),
        ]
    )


@dataclass(frozen=True)
class UserBody:
    """A character of a user as the body of a search; processes share what equal ones need.

    Args:
        identity: by which two are compared.
        character: the body.
    """

    identity: BodyIdentity
    character: Character = field(compare=False, repr=False)

    @staticmethod
    def from_character(character: Character) -> UserBody:
        """Return a character as the body of a search.

        Raises:
            CharacterError: it does not walk on two legs.
        """
        return UserBody(BodyIdentity.from_biped(scale_to_reference(character).biped), character)


# Body of a search: a name, see `evaluation.find_body`, or a character of a user
SearchBody = str | UserBody

"""Rigid links and the joints between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError

Array = NDArray[np.float64]
Point = tuple[float, float, float]
JointKind = Literal["free", "ball", "hinges"]

# Allowed relative difference between the sum of the links' masses and the total mass, since
# published tables are rounded
MASS_TOLERANCE = 1e-3


def to_triple(v: Array) -> Point:
    """Return a vector (3,) as floats, the type of points of links."""
    return float(v[0]), float(v[1]), float(v[2])


@dataclass(frozen=True)
class Joint:
    """The joint between a link and its parent.

    `hinges` are one to three hinges in series at the link's origin: each hinge rotates the axes of
    the hinges after it.

    Args:
        axes: of the hinges, in the neutral pose.
        ranges: lower and upper limit of each hinge angle, which is 0 in the neutral pose; the
            range contains 0 [rad].
    """

    name: str
    kind: JointKind
    axes: tuple[tuple[float, float, float], ...] = ()
    ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class LinkShape:
    """A solid of uniform density in the frame of a link.

    Args:
        start: first end of the long axis [m].
        end: other end [m].
        radii: half extents across the long axis, first lateral, then sagittal; a capsule uses the
            first [m].
    """

    kind: Literal["capsule", "ellipsoid", "box"]
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]


@dataclass(frozen=True)
class Inertial:
    """Measured mass properties in the frame of a link.

    Args:
        mass: [kg].
        center_of_mass: (3,) [m].
        inertia: (3, 3) about the center of mass [kg m^2].

    Raises:
        CharacterError: the mass is not positive, or the inertia is not symmetric positive definite.
    """

    mass: float
    center_of_mass: Array
    inertia: Array

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise CharacterError(f"A link's mass is {self.mass} kg; it must be a positive number.")
        if np.shape(self.center_of_mass) != (3,) or np.shape(self.inertia) != (3, 3):
            raise CharacterError(
                f"A link's center of mass has shape {np.shape(self.center_of_mass)} and its "
                f"inertia {np.shape(self.inertia)}; they must be (3,) and (3, 3)."
            )
        if not (
            np.isfinite(self.center_of_mass).all()
            and np.isfinite(self.inertia).all()
            and np.allclose(self.inertia, self.inertia.T)
            and np.linalg.eigvalsh(self.inertia).min() > 0
        ):
            raise CharacterError(
                "A link's inertia must be a symmetric matrix of finite numbers with positive "
                f"eigenvalues; it is {np.round(self.inertia, 6).tolist()}."
            )


@dataclass(frozen=True)
class Link:
    """A rigid part of a body.

    The mass of a link is `inertial.mass` if that was measured, else `mass`, spread over the solids
    with uniform density. Links with neither share the rest of the character's mass in proportion
    to the volumes of their solids.

    Args:
        parent: index of the parent link; -1 for the root.
        offset: position of the joint in the frame of the parent, in the neutral pose [m].
        mass: [kg]; None if not given.
    """

    name: str
    parent: int
    joint: Joint
    offset: tuple[float, float, float]
    shapes: tuple[LinkShape, ...]
    inertial: Inertial | None = None
    mass: float | None = None

    @property
    def specified_mass(self) -> float | None:
        """Mass from `inertial` or `mass` [kg]; None where it follows from the volume."""
        return self.mass if self.inertial is None else self.inertial.mass


def check_links(name: str, links: tuple[Link, ...], mass: float) -> None:
    """Check that links form one tree with a free root, unique names and plausible masses.

    Raises:
        CharacterError: a check failed; the message names the link.
    """
    names = [link.name for link in links] + [link.joint.name for link in links]
    duplicates = sorted(
        {n for n in names[: len(links)] if names[: len(links)].count(n) > 1}
        | {n for n in names[len(links) :] if names[len(links) :].count(n) > 1}
    )
    if duplicates:
        raise CharacterError(
            f"{name!r} has several links or joints named {duplicates[0]!r}; every name must be "
            "unique."
        )
    for k, link in enumerate(links):
        if (
            (link.parent < 0) != (k == 0)
            or link.parent >= k
            or (link.joint.kind == "free") != (k == 0)
        ):
            raise CharacterError(
                f"The link {link.name!r} of {name!r} is out of place; the first link must be the "
                "root, with a free joint, and every other one must come after its parent."
            )
        if not link.shapes and link.inertial is None:
            raise CharacterError(
                f"The link {link.name!r} of {name!r} has neither solids nor an inertial, so it "
                "has no mass."
            )
        _check_joint(name, link.joint)
    _check_masses(name, [link.specified_mass for link in links], mass)


def _check_masses(name: str, masses: list[float | None], total: float) -> None:
    given_masses = [m for m in masses if m is not None]
    given_total = sum(given_masses)
    if any(not (np.isfinite(m) and m > 0) for m in given_masses):
        raise CharacterError(
            f"A link of {name!r} has a mass of {min(given_masses):g} kg; it must be a positive "
            "number."
        )
    if len(given_masses) == len(masses) and abs(total - given_total) > MASS_TOLERANCE * total:
        raise CharacterError(
            f"The masses of the links of {name!r} add up to {given_total:.5g} kg; the total mass "
            f"of {total:.5g} kg must be the same."
        )
    if len(given_masses) < len(masses) and given_total >= total:
        raise CharacterError(
            f"The given masses of links of {name!r} add up to {given_total:.5g} kg; the total mass "
            f"of {total:.5g} kg must be greater, to leave mass for the other links."
        )


def _check_joint(name: str, joint: Joint) -> None:
    count = len(joint.axes)
    if count != len(joint.ranges) or (joint.kind == "hinges") != (count > 0) or count > 3:
        raise CharacterError(
            f"The joint {joint.name!r} of {name!r} has {count} axes and {len(joint.ranges)} "
            "ranges; a joint of hinges needs one to three of each, other joints none."
        )
    for low, high in joint.ranges:
        if not low <= 0 <= high:
            raise CharacterError(
                f"The joint {joint.name!r} of {name!r} ranges from {np.degrees(low):.0f} to "
                f"{np.degrees(high):.0f} degrees about the neutral pose; the range must contain 0."
            )

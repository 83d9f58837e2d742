"""Rigid links and the joints between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import CharacterError

Array = NDArray[np.float64]
JointKind = Literal["free", "ball", "hinges"]

MASS_TOLERANCE = 1e-3  # of the whole, by which the links' masses may miss it: tables are rounded


@dataclass(frozen=True)
class Joint:
    """How a link hangs on its parent. `hinges` are one to three hinges in a row,
    each with its axis and range in radians.

    All of them are at the link's origin. An axis is in the neutral pose's directions; a range is
    about the neutral pose, so it holds 0. Each hinge turns the axes of those after it.
    """

    name: str
    kind: JointKind
    axes: tuple[tuple[float, float, float], ...] = ()
    ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class LinkShape:
    """A solid of uniform density in a link's frame:
    capsule, ellipsoid or box from `start` to `end`.

    `radii` are the half extents across, first sideways, then the other way;
    a capsule uses the first.
    """

    kind: Literal["capsule", "ellipsoid", "box"]
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radii: tuple[float, float]


@dataclass(frozen=True)
class Inertial:
    """Mass properties that were measured, in a link's frame:
    kg, m, and kg m^2 about the centre of mass.
    """

    mass: float
    center_of_mass: Array  # (3,)
    inertia: Array  # (3, 3)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise CharacterError(f"A link's mass is {self.mass} kg; it must be a positive number.")
        if np.shape(self.center_of_mass) != (3,) or np.shape(self.inertia) != (3, 3):
            raise CharacterError(
                f"A link's centre of mass has shape {np.shape(self.center_of_mass)} and its "
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
    """A rigid part: its joint's place in the parent's frame, neutral pose, and its solids.

    Where the link's mass is known it is `mass`, spread evenly over its solids, or with everything
    else measured, `inertial`. All other links share what is left of the character's mass by the
    volumes of their solids.
    """

    name: str
    parent: int  # -1 for the root
    joint: Joint
    offset: tuple[float, float, float]
    shapes: tuple[LinkShape, ...]
    inertial: Inertial | None = None
    mass: float | None = None  # kg

    @property
    def specified_mass(self) -> float | None:
        """The mass that was given in either way, kg; None for one that follows from volume."""
        return self.mass if self.inertial is None else self.inertial.mass


def check_links(name: str, links: tuple[Link, ...], mass: float) -> None:
    """Refuse links that no body has: CharacterError says which and why."""
    names = [link.name for link in links] + [link.joint.name for link in links]
    duplicates = sorted(
        {n for n in names[: len(links)] if names[: len(links)].count(n) > 1}
        | {n for n in names[len(links) :] if names[len(links) :].count(n) > 1}
    )
    if duplicates:
        raise CharacterError(
            f"{name!r} has several links or joints named {duplicates[0]!r}; every name must be "
            "given once."
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
            f"The masses of the links of {name!r} add up to {given_total:.5g} kg; its whole mass "
            f"of {total:.5g} kg must be the same."
        )
    if len(given_masses) < len(masses) and given_total >= total:
        raise CharacterError(
            f"The masses that are given for links of {name!r} add up to {given_total:.5g} kg; its "
            f"whole mass of {total:.5g} kg must be more, for those of which none is given."
        )


def _check_joint(name: str, joint: Joint) -> None:
    count = len(joint.axes)
    if count != len(joint.ranges) or (joint.kind == "hinges") != (count > 0) or count > 3:
        raise CharacterError(
            f"The joint {joint.name!r} of {name!r} has {count} axes and {len(joint.ranges)} "
            "ranges; hinges need one to three of both, other joints none."
        )
    for low, high in joint.ranges:
        if not low <= 0 <= high:
            raise CharacterError(
                f"The joint {joint.name!r} of {name!r} ranges from {np.degrees(low):.0f} to "
                f"{np.degrees(high):.0f} degrees about the pose in which the body stands; it must "
                "hold 0."
            )

"""Bodies of the adaptive engine: an upper body, a pelvis and two legs with feet.

All lengths and masses are in the units of the controllers: every body is scaled to the size and the
mass of the body of Wu and Popović (2010), table 3, so that one controller fits all sizes.
Points are given in the neutral pose: x forward, y to the left, z up, the ground at z = 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...character.character import Character
from ...character.kinematic_model import KinematicModel
from ...character.scaled import scale_character
from ...errors import CharacterError
from .parts import Hinge, MovementPart, UpperLimb
from .speeds import REFERENCE_LENGTH
from .trained_body import TRAINED, measure_size
from .upper_limbs import list_limb_links, make_movable

Array = NDArray[np.float64]

# Height of the hips above the ground and mass of the body of table 3
REFERENCE_MASS = 76.608  # [kg]


# Least share of the legs in the mass of a body. Tuned: legs of 0.2 % are thrown about by torques
# that hold the rest, and bodies fell within three steps with every controller that was tried
MIN_LEG_SHARE = 0.01


# Distance from the middle of the track to the sides of broad feet [m]. The forward walk sets its
# feet 3.5 cm nearer to the middle than planned, 0.14 m apart instead of 0.21; 1 cm is left
FOOT_GAP = 0.045


@dataclass(frozen=True)
class Leg:
    """A leg with a foot."""

    thigh: MovementPart
    shin: MovementPart
    foot: MovementPart

    @property
    def parts(self) -> tuple[MovementPart, ...]:
        """Parts from the hip outward."""
        return self.thigh, self.shin, self.foot


@dataclass(frozen=True)
class Sole:
    """Sole of both feet, relative to the ankle.

    Args:
        heel, tip: rear and front end along x [m].
        half_width: half of its width [m].
        ankle_height: height of the ankle above it [m].
    """

    heel: float
    tip: float
    half_width: float
    ankle_height: float

    @property
    def length(self) -> float:
        """Length of the sole [m]."""
        return self.tip - self.heel


@dataclass(frozen=True)
class Biped:
    """A body on two legs.

    Args:
        upper_body: with arms and head as they hang; its center is the frame that controllers move.
        legs: left, right.
        mass_scale: ratio of the mass in the units of the controller to that of the character.
        upper_limbs: arms and head that move at the trunk; none where they are parts of it.
        trunk: what is left of the upper body without them; None if there are none.
    """

    name: str
    upper_body: MovementPart
    pelvis: MovementPart
    legs: tuple[Leg, Leg]
    sole: Sole
    mass_scale: float = 1.0
    upper_limbs: tuple[UpperLimb, ...] = ()
    trunk: MovementPart | None = None

    @property
    def forward_offset(self) -> float:
        """Distance by which the upper body is further ahead of its feet than in the search [m].

        With it the center of mass of the whole body is above the same part of the soles.
        """
        parts = [self.upper_body, self.pelvis, *(part for leg in self.legs for part in leg.parts)]
        center = sum(part.mass * float(part.center[0]) for part in parts) / self.mass
        upper_ahead = float(self.upper_body.center[0]) - center
        sole_middle = 0.5 * (self.sole.heel + self.sole.tip)
        offset = upper_ahead - TRAINED.upper_ahead + sole_middle - TRAINED.sole_middle
        return round(offset, 5)  # without it the body of the search would differ in its last digit

    @property
    def half_stance_width(self) -> float:
        """Half of the distance between the feet [m].

        It is that of the search, and more where broad feet would stand in each other.
        """
        return max(TRAINED.half_stance_width, self.sole.half_width + FOOT_GAP)

    @property
    def leg_length(self) -> float:
        """Height of the hips in the neutral pose [m]."""
        return float(self.legs[0].thigh.joint[2])

    @property
    def leg_mass(self) -> float:
        """Mass of both legs [kg]."""
        return sum(part.mass for leg in self.legs for part in leg.parts)

    @property
    def hips(self) -> Array:
        """Hips relative to the center of mass of the upper body (2, 3) [m]."""
        return np.array([leg.thigh.joint - self.upper_body.center for leg in self.legs])

    @property
    def mass(self) -> float:
        """Mass of the body [kg]."""
        return self.upper_body.mass + self.pelvis.mass + self.leg_mass

    def with_rigid_upper_body(self) -> Biped:
        """Return the body with arms and head as parts of its trunk."""
        return replace(self, upper_limbs=(), trunk=None)

    def with_frozen_knee(self, leg: int) -> Biped:
        """Return the body with a knee that cannot bend."""
        return self._with_knee(leg, 0.0, 0.0)

    def with_inverted_knees(self) -> Biped:
        """Return the body with knees that bend backward, as the joints of birds seem to do."""
        body = self
        for leg in (0, 1):
            hinge = body.legs[leg].shin.hinges[0]
            body = body._with_knee(leg, -hinge.high, -hinge.low)
        return body

    def with_shorter_shanks(self, share: float) -> Biped:
        """Return the body with shanks of a share of their length; the rest is lower by that."""
        shin = self.legs[0].shin
        drop = (1.0 - share) * (shin.joint[2] - self.legs[0].foot.joint[2])

        def lower(part: MovementPart) -> MovementPart:
            return part.moved(np.array([0.0, 0.0, -drop]))

        def shorten(part: MovementPart) -> MovementPart:
            low = lower(part)
            center = low.joint + (low.center - low.joint) * [1.0, 1.0, share]
            return replace(
                low, center=center, mass=share * part.mass, inertia=share**3 * part.inertia
            )

        left, right = (Leg(lower(leg.thigh), shorten(leg.shin), leg.foot) for leg in self.legs)
        return replace(
            self.with_rigid_upper_body(),
            upper_body=lower(self.upper_body),
            pelvis=lower(self.pelvis),
            legs=(left, right),
        )

    def with_load(self, mass: float, place: tuple[float, float, float]) -> Biped:
        """Return the body with more mass at its upper body.

        Args:
            mass: added to that of the character [kg].
            place: of its center, in the units of the controllers (3,) [m].
        """
        upper = self.upper_body
        added = mass * self.mass_scale
        total = upper.mass + added
        center = (upper.mass * upper.center + added * np.array(place)) / total
        inertia = upper.inertia
        for part_mass, point in ((upper.mass, upper.center), (added, np.array(place))):
            inertia = inertia + part_mass * _square_lever(point - center)
        loaded = replace(upper, mass=total, center=center, inertia=inertia)
        return replace(self.with_rigid_upper_body(), upper_body=loaded)

    def _with_knee(self, leg: int, low: float, high: float) -> Biped:
        old = self.legs[leg]
        hinge = replace(old.shin.hinges[0], low=low, high=high)
        legs = list(self.legs)
        legs[leg] = replace(old, shin=replace(old.shin, hinges=(hinge,)))
        return replace(self, legs=(legs[0], legs[1]))


def create_reference_biped() -> Biped:
    """Return the body of Wu and Popović (2010), table 3."""
    hip_height = REFERENCE_LENGTH
    ankle_height = 0.08
    upper_to_hip = 0.4

    def make_part(
        joint: tuple[float, ...], mass: float, drop: float, *inertia: float
    ) -> MovementPart:
        place = np.array(joint)
        return MovementPart(place, mass, place - [0.0, 0.0, drop], np.diag(inertia))

    def make_leg(y: float) -> Leg:
        knee = replace(
            make_part((0.0, y, hip_height - 0.5), 4.352, 0.275, 0.04, 0.04, 0.01),
            hinges=(Hinge((0.0, 1.0, 0.0), 0.0, float(np.radians(160))),),
        )
        foot = make_part((0.0, y, ankle_height), 1.0, 0.05, 0.001, 0.03, 0.03)
        return Leg(
            make_part((0.0, y, hip_height), 8.552, 0.25, 0.1, 0.1, 0.05),
            knee,
            replace(foot, center=foot.center + [0.04, 0.0, 0.0]),
        )

    return Biped(
        "reference",
        make_part((0.0, 0.0, hip_height), 40.0, -upper_to_hip, 1.0, 1.0, 0.1),
        make_part((0.0, 0.0, hip_height), 8.8, 0.0, 0.1, 0.1, 0.1),
        (make_leg(0.1), make_leg(-0.1)),
        Sole(-0.07, 0.18, 0.045, ankle_height),
    )


@dataclass(frozen=True)
class ScaledBiped:
    """A character in the units of the controllers.

    Args:
        biped: body for the simulation.
        character: the character at the reference size, of unchanged mass.
        part_links: links of the character that move with each part: trunk, pelvis, thigh,
            shin and foot of the left leg, then of the right leg, then the parts of arms and head.
        length: size of the character in reference leg lengths, see `trained_body.measure_size`.
    """

    biped: Biped
    character: Character
    part_links: tuple[tuple[int, ...], ...]
    length: float


def scale_to_reference(character: Character, *, has_style: bool = False) -> ScaledBiped:
    """Return a character as a biped in the units of the controllers.

    Trunk and everything else that is not pelvis, leg, arm or head become one rigid part.

    Args:
        character: any character.
        has_style: whether arms move as in a style, in all directions.

    Raises:
        CharacterError: the character has no two legs of thigh, shin and foot below a waist, or
            they have hardly any mass.
    """
    _check_legs(character)
    length = measure_size(character) / REFERENCE_LENGTH
    scaled = scale_character(character, 1 / length)
    sides = sorted(scaled.legs, key=lambda leg: -leg.side)
    leg_links = [(link,) for leg in sides for link in leg.links]
    in_legs = {link for links in leg_links for link in links}
    upper = tuple(k for k in range(1, len(scaled.links)) if k not in in_legs)
    mass_scale = REFERENCE_MASS / scaled.mass
    model = KinematicModel(scaled)
    parts = [_merge_links(model, links, mass_scale) for links in (upper, (0,), *leg_links)]
    _check_leg_mass(character, parts[2:])
    limb_links = list_limb_links(scaled)
    limbs = tuple(
        UpperLimb(name, tuple(_merge_links(model, one, mass_scale) for one in links))
        for name, links in limb_links.items()
    )
    outer = {link for links in limb_links.values() for one in links for link in one}
    trunk = tuple(k for k in upper if k not in outer)
    outer_links = [one for links in limb_links.values() for one in links]
    return ScaledBiped(
        Biped(
            character.name,
            parts[0],
            parts[1],
            (Leg(*parts[2:5]), Leg(*parts[5:8])),
            _measure_sole(scaled, sides[0].links[-1]),
            mass_scale,
            make_movable(limbs, has_style=has_style),
            _merge_links(model, trunk, mass_scale) if limbs else None,
        ),
        scaled,
        (trunk, (0,), *leg_links, *outer_links),
        length,
    )


def list_part_origins(biped: Biped) -> Array:
    """Return the origins of the frames of the parts in the neutral pose (parts, 3) [m]."""
    legs = [part.joint for leg in biped.legs for part in leg.parts]
    limbs = [part.joint for limb in biped.upper_limbs for part in limb.parts]
    return np.array([biped.upper_body.center, biped.upper_body.joint, *legs, *limbs])


def _check_legs(character: Character) -> None:
    problem = ""
    if len(character.legs) != 2 or {leg.side for leg in character.legs} != {1, -1}:
        problem = f"has {len(character.legs)} legs"
    elif any(len(leg.links) != 3 for leg in character.legs):
        problem = "has legs that are not made of thigh, shin and foot"
    elif any(foot.is_point for foot in character.feet):
        problem = "has feet without soles"
    elif not character.trunk:
        problem = "has no waist"
    elif any(len(character.links[leg.links[1]].joint.axes) != 1 for leg in character.legs):
        problem = "has knees that are not hinges"
    if problem:
        raise CharacterError(
            f"{character.name!r} {problem}; the engine 'adaptive' moves bodies on two legs of "
            "thigh, shin and foot with soles. Choose another engine."
        )


def _check_leg_mass(character: Character, legs: list[MovementPart]) -> None:
    share = sum(part.mass for part in legs) / REFERENCE_MASS
    if share < MIN_LEG_SHARE:
        raise CharacterError(
            f"The legs of {character.name!r} have {100 * share:.1f} % of its mass; the engine "
            f"'adaptive' moves bodies whose legs have {100 * MIN_LEG_SHARE:g} % or more. Choose "
            "another engine."
        )


def _merge_links(model: KinematicModel, links: tuple[int, ...], mass_scale: float) -> MovementPart:
    """Return links of a character as one part."""
    character = model.character
    rest = model.compute_link_poses(model.neutral[None])
    root = np.array([0.0, 0.0, character.root_height])
    origins = rest.origin[0] - rest.origin[0, 0] + root
    centers = rest.link_com[0] - rest.origin[0, 0] + root
    mass = float(model.link_mass[list(links)].sum())
    center = model.link_mass[list(links)] @ centers[list(links)] / mass
    inertia = np.zeros((3, 3))
    for link in links:
        inertia += model.link_inertia[link] + model.link_mass[link] * _square_lever(
            centers[link] - center
        )
    joint = character.links[links[0]].joint
    hinges = tuple(
        Hinge(axis, low, high) for axis, (low, high) in zip(joint.axes, joint.ranges, strict=True)
    )
    return MovementPart(origins[links[0]], mass * mass_scale, center, inertia * mass_scale, hinges)


def _square_lever(lever: Array) -> Array:
    """Return the inertia of a point by its mass, at a lever (3,) [m] (3, 3) [m^2]."""
    return np.asarray(lever @ lever * np.eye(3) - np.outer(lever, lever))


def _measure_sole(character: Character, foot_link: int) -> Sole:
    foot = next(foot for foot in character.feet if foot.link == foot_link)
    shapes = character.links[foot_link].shapes
    half_width = 0.9 * max((shape.radii[0] for shape in shapes), default=0.045)
    half_width = max(half_width, foot.half_width)
    return Sole(float(foot.heel[0]), float(foot.tip[0]), float(half_width), float(-foot.heel[2]))

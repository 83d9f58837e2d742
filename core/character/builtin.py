"""Characters that come with Footfall, for use without a rig."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import CharacterError
from .character import Character, Foot, Hand, Joint, Limb, Link, Shape

KNEE = ((0.0, np.radians(150)),)
ELBOW = ((np.radians(-150), 0.0),)                          # flexion swings the forearm forward: about -y
ANKLE = ((np.radians(-30), np.radians(60)), (np.radians(-25), np.radians(25)))   # pitch: toes down +; roll


def humanoid() -> Character:
    """A person 1.75 m tall of 69.8 kg with 32 degrees of freedom.

    As the Humanoid of Kwon et al. 2020, appendix A: knees and elbows have one degree of freedom, ankles two, waist, neck,
    hips and shoulders three; masses follow from volume at uniform density. Radii were chosen so that the links' shares of
    the mass come near those of de Leva 1996. The toes are not links: they follow the ground (see `fullbody.toes`).
    """
    links: list[Link] = [
        Link("pelvis", -1, Joint("root", "free"), (0, 0, 0), (Shape("ellipsoid", (0, 0, -0.09), (0, 0, 0.17), (0.165, 0.105)),)),
        Link("chest", 0, Joint("waist", "ball"), (0, 0, 0.13), (
            Shape("ellipsoid", (0, 0, -0.08), (0, 0, 0.20), (0.145, 0.108)),
            Shape("ellipsoid", (0, 0, 0.06), (0, 0, 0.40), (0.165, 0.115)))),
        Link("head", 1, Joint("neck", "ball"), (0, 0, 0.39), (
            Shape("capsule", (0, 0, 0.0), (0.01, 0, 0.09), (0.055, 0.055)),
            Shape("ellipsoid", (0.015, 0, 0.06), (0.02, 0, 0.30), (0.079, 0.10)))),
    ]
    limbs: list[Limb] = []
    for name, side in (("L", 1), ("R", -1)):
        at = len(links)
        foot = Foot(link=at + 2, heel=np.array([-0.055, 0, -0.08]), ball=np.array([0.145, 0, -0.08]),
                    tip=np.array([0.205, 0, -0.08]), pivot=np.array([0.145, 0, -0.06]), has_toe=True)
        links += [
            Link(f"thigh.{name}", 0, Joint(f"hip.{name}", "ball"), (0, 0.085 * side, 0),
                 (Shape("capsule", (0, 0, -0.02), (0, 0, -0.42), (0.088, 0.088)),)),
            Link(f"shin.{name}", at, Joint(f"knee.{name}", "hinges", ((0, 1, 0),), KNEE), (0, 0, -0.42),
                 (Shape("capsule", (0, 0, 0), (0, 0, -0.43), (0.049, 0.049)),)),
            Link(f"foot.{name}", at + 1, Joint(f"ankle.{name}", "hinges", ((0, 1, 0), (1, 0, 0)), ANKLE), (0, 0, -0.43),
                 (Shape("box", (-0.055, 0, -0.055), (0.205, 0, -0.055), (0.042, 0.022)),)),
        ]
        limbs.append(Limb(f"leg.{name}", "leg", side, (at, at + 1, at + 2), foot))
    for name, side in (("L", 1), ("R", -1)):
        at = len(links)
        links += [
            Link(f"upper_arm.{name}", 1, Joint(f"shoulder.{name}", "ball"), (0, 0.185 * side, 0.355),
                 (Shape("capsule", (0, 0, 0.01), (0, 0, -0.28), (0.0465, 0.0465)),)),
            Link(f"forearm.{name}", at, Joint(f"elbow.{name}", "hinges", ((0, 1, 0),), ELBOW), (0, 0, -0.28), (
                Shape("capsule", (0, 0, 0), (0, 0, -0.26), (0.036, 0.036)),
                Shape("ellipsoid", (0, 0, -0.25), (0, 0, -0.43), (0.02, 0.042)))),
        ]
        limbs.append(Limb(f"arm.{name}", "arm", side, (at, at + 1), hand=Hand(at + 1, np.array([0.0, 0.0, -0.35]))))
    return Character("humanoid", tuple(links), tuple(limbs), trunk=(1,), head=2, mass=69.8)


BUILTIN: dict[str, Callable[[], Character]] = {"humanoid": humanoid}


def builtin(name: str) -> Character:
    """The built-in character of that name."""
    if name not in BUILTIN:
        raise CharacterError(f"There is no built-in character {name!r}; there are: {', '.join(BUILTIN)}.")
    return BUILTIN[name]()

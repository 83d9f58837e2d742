"""A character made from the bones of a rig that stands as it rests: any number of legs, of any number of segments."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Foot, Limb
from ..link import Joint, Link, Shape
from ..recognition.anatomy import Anatomy, LegBones
from ..recognition.skeleton import Skeleton

Array = NDArray[np.float64]

WATER = 1000.0            # kg/m^3 of all that is inside a skin
THIN = 0.05               # leg lengths, radius of a part that has no skin
ROUND = 0.75              # of the mean distance of the skin from a bone, the radius of its solid
SOLE = 0.06               # leg lengths, the shortest sole that is stood on as one
LOW = 0.03                # leg lengths over the lowest point of a foot, within which its skin is sole
LIES = 0.75               # of its length, that a foot without skin is high at most to lie on the ground
STRAIGHT = 0.95           # of the way to straight, that a joint of a leg goes
FOLDED = np.radians(150)  # bend of a joint of a leg at most
PLAY = np.radians(70)     # that a joint turns either way which is straight at rest
FOOT = ((np.radians(-60), np.radians(60)), (np.radians(-30), np.radians(30)))
SPINE = 3                 # links of a trunk at most
NECK = 2                  # of a neck
TAIL = 6                  # of a tail


class StanceBuilder:
    """Measures one skeleton; everything in axes with x ahead, y left, z up. Its neutral pose is how it rests.

    Args:
        tailed: give it its tail; without, the tail is the rig's own matter.
    """

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy, tailed: bool = False) -> None:
        self.skeleton, self.anatomy, self.tailed = skeleton, anatomy, tailed
        self.backward: set[int] = set()                # bones of a tail that point to the body
        ahead = np.asarray(anatomy.ahead, float)
        self.turn = so3.about("z", -np.arctan2(ahead[1], ahead[0]))                        # world to the body's axes
        self.heads, self.tails = skeleton.heads @ self.turn.T, skeleton.tails @ self.turn.T
        self.skin = {name: points @ self.turn.T for name, points in skeleton.skin.items()}
        rear = [leg.hip for leg in anatomy.legs if leg.row == 0]
        self.hips = self.heads[rear].mean(0)
        lengths = [float(np.linalg.norm(np.diff(self._joints(leg), axis=0), axis=1).sum()) for leg in anatomy.legs]
        if min(lengths) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError("A leg has no length; every bone of a leg must be longer than zero.")
        self.leg = float(np.mean(lengths))
        self.links: list[Link] = []
        self.link_of: dict[int, int] = {}              # by bone
        self.at: list[Array] = []                      # by link: its joint's place

    def build(self) -> tuple[Character, dict[int, int]]:
        """The character, and its link by bone."""
        a = self.anatomy
        self._add("pelvis", Joint("root", "free"), a.root, self.hips, -1)
        trunk = [self._add(f"spine{k}", Joint(f"spine{k}", "ball"), bone, self.heads[bone])
                 for k, bone in enumerate(_spread(a.trunk, SPINE))]
        neck, head = [], None
        if a.neck is not None:
            bones = tuple(b for b in (a.neck_bones or (a.neck,)) if b != a.head)
            neck = [self._add(f"neck{k}", Joint(f"neck{k}", "ball"), bone, self.heads[bone])
                    for k, bone in enumerate(_spread(bones, NECK))]
            head = self._add("head", Joint("head", "ball"), a.head, self.heads[a.head]) if a.head is not None else None
            if head is None and neck:
                head = neck.pop()
        limbs = [self._leg(leg) for leg in a.legs]
        tail = self._tail(a.tails[0]) if self.tailed and a.tails else []
        self._shape()
        volume = sum(_volume(s) for link in self.links for s in link.shapes)
        character = Character("rig", tuple(self.links), tuple(limbs), tuple(trunk), head, WATER * volume, a.notes, tuple(neck),
                              tuple(tail))
        return character, self.link_of

    def _add(self, name: str, joint: Joint, bone: int, at: Array, parent: int | None = None) -> int:
        """A link that follows a bone, on the link of the nearest bone above it that has one."""
        if parent is None:
            up = self.skeleton.parents[bone]
            while up >= 0 and up not in self.link_of:
                up = self.skeleton.parents[up]
            parent = self.link_of.get(up, 0)
        x, y, z = (float(v) for v in (np.zeros(3) if parent < 0 else at - self.at[parent]))
        self.links.append(Link(name, parent, joint, (x, y, z), ()))
        self.link_of[bone] = len(self.links) - 1
        self.at.append(at)
        return len(self.links) - 1

    def _tail(self, chain: tuple[int, ...]) -> list[int]:
        """The links of a tail. Rigs may have its bones hang on each other from the tip on, each pointing to the body."""
        begins, ends = (float(np.linalg.norm(self.heads[chain[k]] - self.hips)) for k in (0, -1))
        if begins <= ends:
            return [self._add(f"tail{k}", Joint(f"tail{k}", "ball"), bone, self.heads[bone])
                    for k, bone in enumerate(_spread(chain, TAIL))]
        links: list[int] = []
        for k, bone in enumerate(chain[:-TAIL - 1:-1]):
            self.backward.add(bone)
            links.append(self._add(f"tail{k}", Joint(f"tail{k}", "ball"), bone, self.tails[bone], links[-1] if links else 0))
        return links

    def _joints(self, leg: LegBones) -> Array:
        """Places of the joints of a leg from the hip down, and of its end. (k, 3)."""
        last = leg.foot if leg.foot is not None else leg.segments[-1]
        bones = [*leg.segments, *([leg.foot] if leg.foot is not None else [])]
        return np.concatenate([self.heads[bones], self.tails[[last]]])

    def _leg(self, leg: LegBones) -> Limb:
        row = {0: "hind", self.anatomy.rows - 1: "front"}.get(leg.row, f"row{leg.row}") if self.anatomy.rows > 1 else "leg"
        side = {1: ".L", -1: ".R"}.get(leg.side, "")
        places, links = self._joints(leg), []
        for k, bone in enumerate(leg.segments):
            name = f"{row}{k}{side}"
            joint = Joint(name, "ball") if k == 0 else Joint(name, "hinges", ((0, 1, 0),), (_bending(places[k - 1:k + 2]),))
            links.append(self._add(name, joint, bone, places[k]))
        if leg.foot is not None:
            name = f"{row}_foot{side}"
            links.append(self._add(name, Joint(name, "hinges", ((0, 1, 0), (1, 0, 0)), FOOT), leg.foot, places[-2]))
        return Limb(f"{row}{side}", "leg", leg.side, tuple(links), self._foot(leg, links[-1]), row=leg.row)

    def _foot(self, leg: LegBones, link: int) -> Foot:
        """What a leg stands on: a sole where its skin lies on the ground over some length, else a point."""
        own = self.skeleton.below(leg.foot if leg.foot is not None else leg.segments[-1])
        at = self.at[link]
        skin = [self.skin[self.skeleton.names[k]] for k in own if self.skeleton.names[k] in self.skin]
        points = np.concatenate(skin) if skin else np.concatenate([self.heads[own], self.tails[own]])
        low = float(points[:, 2].min())
        sole = points[points[:, 2] < low + LOW * self.leg]
        if not skin and at[2] - low < LIES * (float(points[:, 0].max()) - at[0]):
            sole = points                # bones run inside of a foot: where they lie, the sole is all the way below them
        rear, front, y = float(sole[:, 0].min()), float(sole[:, 0].max()), float(np.median(sole[:, 1]))
        if leg.foot is None or front - rear < SOLE * self.leg:
            return Foot.round(link, np.array([0.5 * (rear + front), y, low]) - at, 0.0)
        inset = 0.1 * (front - rear)
        heel, ball, tip = (np.array([x, y, low]) - at for x in (rear + inset, front - inset, front))
        return Foot(link, heel, ball, tip, ball, has_toe=False)

    def _shape(self) -> None:
        """Give every link a solid as thick as its skin."""
        ends: dict[int, list[Array]] = {}
        for link in self.links[1:]:
            ends.setdefault(link.parent, []).append(np.asarray(link.offset))
        bone_of = {link: bone for bone, link in self.link_of.items()}
        shaped = []
        for k, link in enumerate(self.links):
            bone = bone_of[k]
            along = [v for v in ends.get(k, []) if np.linalg.norm(v) > 0.02 * self.leg]
            own = self.heads[bone] if bone in self.backward else self.tails[bone]
            end = max(along, key=lambda v: abs(v[0])) if along else own - self.at[k]
            if np.linalg.norm(end) < 0.02 * self.leg:
                end = np.array([0.0, 0.0, -0.05 * self.leg])
            radius = self._radius(k, end)
            x, y, z = (float(v) for v in end)
            shaped.append(replace(link, shapes=(Shape("capsule", (0.0, 0.0, 0.0), (x, y, z), (radius, radius)),)))
        self.links = shaped

    def _radius(self, link: int, end: Array) -> float:
        """How thick the skin is around a link, m."""
        own = [k for k in range(len(self.skeleton.names)) if self._carrier(k) == link]
        skin = [self.skin[self.skeleton.names[k]] for k in own if self.skeleton.names[k] in self.skin]
        if not skin:
            return THIN * self.leg
        away = np.concatenate(skin) - self.at[link]
        share = np.clip(away @ end / (end @ end), 0, 1)
        thick = ROUND * float(np.linalg.norm(away - share[:, None] * end, axis=1).mean())
        return float(np.clip(thick, 0.01 * self.leg, 0.5 * self.leg))

    def _carrier(self, bone: int) -> int:
        """The link that carries a bone; -1 for tails and other things that nothing is planned for."""
        tails = {chain[0] for chain in self.anatomy.tails if chain}
        while bone >= 0 and bone not in self.link_of:
            if bone in tails:
                return -1
            bone = self.skeleton.parents[bone]
        return self.link_of.get(bone, -1)


def _spread(bones: tuple[int, ...], count: int) -> list[int]:
    """So many of a row of bones, evenly, the first one always and the last one where there are more."""
    if len(bones) <= count:
        return list(bones)
    return [bones[k] for k in np.unique(np.round(np.linspace(0, len(bones) - 1, count)).astype(int))]


def _bending(places: Array) -> tuple[float, float]:
    """Range of a joint between two segments, told by three places (3, 3), about the axis to the left, rad."""
    first, second = np.diff(places, axis=0)
    bend = float(np.arctan2(first[2] * second[0] - first[0] * second[2], first[0] * second[0] + first[2] * second[2]))
    if abs(bend) < np.radians(4):
        return -PLAY, PLAY
    straight, folded = -STRAIGHT * bend, np.sign(bend) * max(FOLDED - abs(bend), np.radians(30))
    return float(min(straight, folded)), float(max(straight, folded))


def _volume(shape: Shape) -> float:
    length = float(np.linalg.norm(np.subtract(shape.end, shape.start)))
    return float(np.pi * shape.radii[0] ** 2 * (length + 4 / 3 * shape.radii[0]))

"""A character made from the bones of a rig that stands on two legs as people do: upright, legs straight, arms hanging."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...errors import CharacterError
from ...geometry import so3
from ..character import Character, Foot, Hand, Limb
from ..link import Joint, Link, Shape
from ..recognition.anatomy import Anatomy, ArmBones, LegBones, foot_direction
from ..recognition.names import says
from ..recognition.skeleton import Skeleton
from .bind import bind
from .binding import Binding
from .leg_joints import leg_joints
from .shapes import bulk_shape, head_shapes, limb_shape, pelvis_shapes, trunk_shapes
from .sole import Sole, find_sole, straight

Array = NDArray[np.float64]

KNEE = ((0.0, np.radians(150)),)
ELBOW = ((np.radians(-150), 0.0),)                          # flexion swings the forearm forward: about -y
ANKLE = ((np.radians(-40), np.radians(60)), (np.radians(-25), np.radians(25)))   # pitch: toes down +; roll
STATURE, WEIGHT = 1.75, 69.8          # m and kg that a body's mass is scaled from by its height
PALM = 0.32                           # upper arms from the wrist to the middle of what a closed hand encloses
APART = 0.5                           # of a leg that feet are apart from the middle, beyond which a body bears on their inner sides
BULKY = 1.2                           # legs that a trunk or head is deep at least, not to be taken for a person's
CLEAR_OF_GROUND = 0.65                # of the shoulder's height that an arm may reach down
UPRIGHT_TRUNK = np.radians(25)        # a trunk that leans more at rest is set upright as a whole


class UprightBuilder:
    """Measures one skeleton; everything in axes with x ahead, y left, z up."""

    def __init__(self, skeleton: Skeleton, anatomy: Anatomy) -> None:
        self.skeleton, self.anatomy = skeleton, anatomy
        left, right = anatomy.legs
        across = skeleton.heads[left.hip] - skeleton.heads[right.hip]
        across[2] = 0.0
        if np.linalg.norm(across) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError(f"The hips of {skeleton.names[left.hip]!r} and {skeleton.names[right.hip]!r} are at the same "
                                 "place.")
        ahead = np.cross(across, [0.0, 0.0, 1.0])
        self.notes = list(anatomy.notes)
        if foot_direction(skeleton, anatomy.legs) @ ahead < 0:
            self.notes.append("the feet point the other way than the names of left and right say; the names were followed")
        self.turn = so3.about("z", -np.arctan2(ahead[1], ahead[0]))                        # world to the body's axes
        self.heads = skeleton.heads @ self.turn.T
        self.tails = skeleton.tails @ self.turn.T
        self.skin = {name: points @ self.turn.T for name, points in skeleton.skin.items()}
        self.hips = 0.5 * (self.heads[left.hip] + self.heads[right.hip])
        self.joints = {leg.hip: leg_joints(leg, skeleton, self.heads, self.tails, self.skin) for leg in anatomy.legs}
        lengths = [np.linalg.norm(np.diff(self.joints[leg.hip], axis=0), axis=1) for leg in anatomy.legs]
        if min(x.min() for x in lengths) < 1e-6 * max(skeleton.height, 1e-9):
            raise CharacterError("A leg has a thigh or shin of no length; every bone of a leg must be longer than zero.")
        self.leg = float(np.mean([x.sum() for x in lengths]))
        self.links: list[Link] = []
        self.link_of: dict[int, int] = {}              # by bone
        self.neutral: list[Array] = []                 # by link: from rest axes to neutral axes
        self.joint_at: list[Array] = []                # by link: its joint's place at rest

    def build(self) -> tuple[Character, Binding]:
        """The character, and which bones follow it."""
        a = self.anatomy
        top = self.heads[a.neck] if a.neck is not None else self.heads[a.trunk[-1]] if a.trunk else self.hips + [0, 0, 1]
        lean = top - self.hips
        upright = so3.between(lean, np.array([0.0, 0.0, 1.0]))
        if np.linalg.norm(so3.log(upright)) < UPRIGHT_TRUNK or a.tails:          # a body with a tail is held level by it
            upright = np.eye(3)
        else:
            self.notes.append("the trunk leans at rest and was set upright")
        self._add("pelvis", -1, Joint("root", "free"), a.root, self.hips, upright)
        trunk = self._trunk(upright)
        chest = trunk[-1] if trunk else 0
        head = None
        if a.neck is not None:
            head = self._add("head", chest, Joint("neck", "ball"), a.neck, self.heads[a.neck], upright)
        limbs = []
        for leg in a.legs:
            limbs.append(self._leg(leg))
        foot = limbs[0].foot
        assert foot is not None
        for arm in a.arms:
            if any(says(self.skeleton.names[k], "wing") for k in (arm.shoulder, arm.elbow, arm.wrist)):
                continue                        # wings stay folded or spread as they are
            limbs.append(self._arm(chest, arm, self.leg - float(foot.ball[2])))
        self._shape(trunk, head, limbs)
        mass = WEIGHT * (self._stature(limbs) / STATURE) ** 3
        character = Character("rig", tuple(self.links), tuple(limbs), tuple(trunk), head, mass, tuple(self.notes))
        offset = self.neutral[0] @ (self.heads[a.root] - self.hips)
        turns = {bone: self.neutral[link] @ self.turn for bone, link in self.link_of.items()}
        placed = {bone: self.neutral[self.link_of[bone]] @ (self.heads[bone] - self.joint_at[self.link_of[bone]])
                  for leg in a.legs for bone in (leg.ankle,) if leg.loose or len(leg.segments) == 1}
        return character, bind(self.skeleton, a, self.link_of, turns, offset, [f.has_toe for f in character.feet], placed)

    def _stature(self, limbs: list[Limb]) -> float:
        """Height in the neutral pose, from the legs and what stands above them."""
        foot = limbs[0].foot
        assert foot is not None
        below = self.leg - float(foot.ball[2])
        points = [self.heads[k] for k in range(len(self.heads))] + [p for pts in self.skin.values() for p in pts[::7]]
        above = max(float((self.neutral[0] @ (p - self.hips))[2]) for p in points)
        return below + min(above, 2.0 * below)

    def _add(self, name: str, parent: int, joint: Joint, bone: int | None, at: Array, neutral: Array) -> int:
        offset = np.zeros(3) if parent < 0 else self.neutral[parent] @ (at - self.joint_at[parent])
        x, y, z = (float(v) for v in offset)
        self.links.append(Link(name, parent, joint, (x, y, z), ()))
        if bone is not None:
            self.link_of[bone] = len(self.links) - 1
        self.neutral.append(neutral)
        self.joint_at.append(at)
        return len(self.links) - 1

    def _trunk(self, upright: Array) -> list[int]:
        """One or two links for the spine: the upper one begins where the chest does, nearest to half-way to the neck."""
        a = self.anatomy
        if not a.trunk:
            return []
        first = a.trunk[0]
        chosen = [first]
        if len(a.trunk) > 1:
            heights = np.array([(upright @ (self.heads[k] - self.heads[first]))[2] for k in a.trunk])
            end = (upright @ (self.heads[a.neck if a.neck is not None else a.trunk[-1]] - self.heads[first]))[2]
            upper = a.trunk[1 + int(np.argmin(np.abs(heights[1:] - 0.45 * end)))]
            chosen.append(upper)
        names = ["chest"] if len(chosen) == 1 else ["spine", "chest"]
        joints = ["waist"] if len(chosen) == 1 else ["waist", "thorax"]
        out, parent = [], 0
        for bone, name, joint in zip(chosen, names, joints, strict=True):
            parent = self._add(name, parent, Joint(joint, "ball"), bone, self.heads[bone], upright)
            out.append(parent)
        return out

    def _leg(self, leg: LegBones) -> Limb:
        side = "L" if leg.side > 0 else "R"
        hip, knee, ankle = self.joints[leg.hip]
        whole = len(leg.segments) == 1          # such a leg goes where its sole does; thigh and shin are only thought of
        thigh = self._add(f"thigh.{side}", 0, Joint(f"hip.{side}", "ball"), None if whole else leg.hip, hip, straight(knee - hip))
        shin = self._add(f"shin.{side}", thigh, Joint(f"knee.{side}", "hinges", ((0, 1, 0),), KNEE), None if whole else leg.knee,
                         knee, straight(ankle - knee))
        sole = self._sole(leg, ankle, ankle - knee)
        foot = self._add(f"foot.{side}", shin, Joint(f"ankle.{side}", "hinges", ((0, 1, 0), (1, 0, 0)), ANKLE),
                         leg.ankle if whole else leg.foot, ankle, sole.flatten)
        measured = Foot(foot, sole.heel, sole.ball, sole.tip, sole.pivot, sole.has_toe)
        return Limb(f"leg.{side}", "leg", leg.side, (thigh, shin, foot), measured)

    def _sole(self, leg: LegBones, ankle: Array, shin: Array) -> Sole:
        below = self.skeleton.below(leg.ankle)
        skin = self._skin_below(leg.ankle)
        of_shin = self.skin.get(self.skeleton.names[leg.segments[-1]], np.zeros((0, 3)))
        if leg.foot is None and len(leg.segments) > 1:
            skin = []
        skin.append(of_shin[(of_shin - ankle) @ shin > 0])      # a heel that is blended follows the shin in part
        ends = np.concatenate([self.heads[below[1:]], self.tails[below]])
        toe = self.heads[leg.toe] if leg.toe is not None else None
        of_toes = np.concatenate([np.zeros((0, 3)), *(self._skin_below(leg.toe) if leg.toe is not None else [])])
        apart = leg.side * (ankle[1] - self.hips[1])
        inward = -leg.side if apart > APART * self.leg else 0
        return find_sole(ankle, shin, np.array([1.0, 0.0, 0.0]), toe, np.concatenate(skin), ends, self.leg, of_toes, inward)

    def _arm(self, chest: int, arm: ArmBones, hips: float) -> Limb:
        """An arm of a body whose hips are so high above the soles."""
        name = "L" if arm.side > 0 else "R"
        a, b, c = (self.heads[k] for k in (arm.shoulder, arm.elbow, arm.wrist))
        out = so3.about("x", arm.side * self._held_out(arm, float((self.neutral[0] @ (a - self.hips))[2]) + hips))
        upper = self._add(f"upper_arm.{name}", chest, Joint(f"shoulder.{name}", "ball"), arm.shoulder, a, out @ straight(b - a))
        fore = self._add(f"forearm.{name}", upper, Joint(f"elbow.{name}", "hinges", ((0, 1, 0),), ELBOW), arm.elbow, b,
                         out @ straight(c - b))
        grip = np.linalg.norm(c - b) + PALM * np.linalg.norm(b - a)
        return Limb(f"arm.{name}", "arm", arm.side, (upper, fore), hand=Hand(fore, out @ np.array([0.0, 0.0, -grip])))

    def _held_out(self, arm: ArmBones, shoulder: float) -> float:
        """Angle from the vertical at which an arm hangs, rad: none, but for one that would drag its hand over the ground."""
        a, b, c = (self.heads[k] for k in (arm.shoulder, arm.elbow, arm.wrist))
        hand = np.concatenate([self.heads[self.skeleton.below(arm.wrist)], *self._skin_below(arm.wrist)])
        reach = sum(float(np.linalg.norm(v)) for v in (b - a, c - b)) + float(np.linalg.norm(hand - c, axis=1).max())
        return float(np.arccos(min(CLEAR_OF_GROUND * shoulder / max(reach, 1e-9), 1.0)))

    def _skin_below(self, bone: int) -> list[Array]:
        names = (self.skeleton.names[k] for k in self.skeleton.below(bone))
        return [self.skin[name] for name in names if name in self.skin]

    def _shape(self, trunk: list[int], head: int | None, limbs: list[Limb]) -> None:
        """Give every link its solids."""
        def below(link: int) -> Array:
            return next(np.asarray(x.offset) for x in self.links if x.parent == link)

        offsets = {k: np.asarray(x.offset) for k, x in enumerate(self.links)}
        width = float(np.mean([abs(offsets[limb.links[0]][1]) for limb in limbs if limb.kind == "leg"]))
        shoulders = [offsets[limb.links[0]] for limb in limbs if limb.kind == "arm"]
        shapes: dict[int, tuple[Shape, ...]] = {0: pelvis_shapes(width, self.leg, offsets[trunk[0]] if trunk else None)}
        for k, link in enumerate(trunk):
            above = trunk[k + 1] if k + 1 < len(trunk) else head
            end = offsets[above] if above is not None else np.array([0, 0, 0.3 * self.leg])
            shapes[link] = trunk_shapes(end, shoulders if link == trunk[-1] else [], width, self.leg)
        if head is not None:
            shapes[head] = head_shapes(self._head_height(head), self.leg)
        for limb in limbs:
            roles = ("thigh", "shin", "foot") if limb.kind == "leg" else ("upper_arm", "forearm")
            for role, link in zip(roles, limb.links, strict=True):
                if role == "foot":
                    assert limb.foot is not None
                    shapes[link] = (limb_shape(role, limb.foot.heel, limb.foot.tip, self.leg),)
                else:
                    hangs = np.array([0.0, 0.0, -1.0]) if limb.hand is None else limb.hand.grip / np.linalg.norm(limb.hand.grip)
                    end = below(link) if role != "forearm" else 1.45 * np.linalg.norm(offsets[link]) * hangs
                    shapes[link] = (limb_shape(role, np.zeros(3), end, self.leg),)
        for link in (*trunk, *([head] if head is not None else [])):
            skin = self._own_skin(link)
            if len(skin) and float(np.ptp(skin[:, 0])) > BULKY * self.leg:
                shapes[link] = (bulk_shape(skin),)
        self.links = [Link(x.name, x.parent, x.joint, x.offset, shapes[k]) for k, x in enumerate(self.links)]

    def _own_skin(self, link: int) -> Array:
        """Skin of the bone that a link was made from, around its joint. (m, 3)."""
        names = [self.skeleton.names[bone] for bone, number in self.link_of.items() if number == link]
        points = np.concatenate([np.zeros((0, 3)), *(self.skin[name] for name in names if name in self.skin)])
        return np.asarray((points - self.joint_at[link]) @ self.neutral[link].T)

    def _head_height(self, head: int) -> float:
        a = self.anatomy
        assert a.neck is not None
        below = self.skeleton.below(a.neck)
        points = [self.heads[below], *self._skin_below(a.neck)]
        top = float(((np.concatenate(points) - self.joint_at[head]) @ self.neutral[head].T)[:, 2].max())
        return float(np.clip(top, 0.18 * self.leg, 0.8 * self.leg))

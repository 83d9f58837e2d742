"""Side and part of a bone from its name, as hints for recognition by structure."""

from __future__ import annotations

import re
from functools import lru_cache

# Number of names whose words are kept: recognition looks at each name hundreds of times.
MAX_CACHED_NAMES = 1 << 14
# Sides by word: +1 left, -1 right, as y points to the left
SIDE_OF_WORD = {"left": 1, "right": -1, "l": 1, "r": -1}
# Abbreviations of legs of animals and robots by row and side, such as RL for rear left
ROW_AND_SIDE = {
    "fl": ("front", "l"),
    "fr": ("front", "r"),
    "rl": ("rear", "l"),
    "rr": ("rear", "r"),
    "hl": ("hind", "l"),
    "hr": ("hind", "r"),
    "lf": ("l", "front"),
    "rf": ("r", "front"),
    "lh": ("l", "hind"),
    "rh": ("r", "hind"),
}

# Last words of the names of bones that exporters add at the ends of chains
END_WORDS = frozenset({"end", "nub", "leaf"})

# Words in the names of bones that share a segment with the bone above them
TWIST_WORDS = frozenset({"tw", "twst", "helper"})

# Strings in names of bones by part of the body
PART_HINTS = {
    "thigh": ("thigh", "upleg", "upperleg", "femur", "legupper", "hip"),
    "shin": ("shin", "calf", "lowerleg", "lowleg", "leglower", "knee", "tibia"),
    "foot": ("foot", "ankle"),
    "toe": ("toe", "ball"),
    "heel": ("heel",),
    "clavicle": ("clavicle", "collar", "shoulder"),
    "upper_arm": ("upperarm", "uparm", "armupper", "humerus"),
    "forearm": ("forearm", "lowerarm", "armlower", "elbow"),
    "hand": ("hand", "wrist"),
    "neck": ("neck",),
    "head": ("head", "skull"),
    "face": (
        *("face", "jaw", "eye", "brow", "beak", "muzzle", "snout", "mouth", "nose", "forehead"),
        *("temple", "cheek", "chin", "tongue", "teeth"),
    ),
    "front_of_head": ("jaw", "eye", "nose", "beak", "muzzle", "snout", "mouth"),
    "tail": ("tail",),
    "wing": ("wing", "feather"),
    "front": ("front", "fore"),
    "hind": ("hind", "back", "rear"),
    "cloth": ("skirt", "coat", "cloth", "cape", "hair", "ribbon", "sleeve"),
    "twist": ("twist", "roll"),
    "helper": ("ik", "pole", "target", "ctrl", "control", "socket", "weapon", "prop"),
}

# Parts that are segments of limbs
SEGMENT_PARTS = ("thigh", "shin", "foot", "toe", "upper_arm", "forearm", "hand")


@lru_cache(maxsize=MAX_CACHED_NAMES)
def split_words(name: str) -> tuple[str, ...]:
    """Return the words of a bone's name in lower case, without prefixes of exporters.

    'mixamorig:LeftUpLeg' -> left, up, leg; 'FR_hip' -> front, r, hip.
    """
    name = name.rsplit(":", 1)[-1]
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return tuple(
        part
        for w in re.split(r"[^A-Za-z]+", name.lower())
        if w
        for part in ROW_AND_SIDE.get(w, (w,))
    )


def side_from_name(name: str) -> int:
    """Return the side of a bone: +1 left, -1 right, 0 neither."""
    parts = split_words(name)
    for w in (*parts[::-1],):
        if w in SIDE_OF_WORD:
            return SIDE_OF_WORD[w]
    return next(
        (
            SIDE_OF_WORD[s]
            for s in ("left", "right")
            for w in parts
            if w.startswith(s) or w.endswith(s)
        ),
        0,
    )


@lru_cache(maxsize=MAX_CACHED_NAMES)
def strip_side(name: str) -> str:
    """Return a name without its side, which is equal for both bones of a pair."""
    sideless_words = [w for w in split_words(name) if w not in SIDE_OF_WORD]
    joined = "".join(sideless_words)
    return re.sub(r"left|right", "", joined) + re.sub(r"\D+", "", name.rsplit(":", 1)[-1])


@lru_cache(maxsize=MAX_CACHED_NAMES)
def is_part_name(name: str, part: str) -> bool:
    """Return whether a bone is named as a part, which is a key of `PART_HINTS`."""
    parts = split_words(name)
    joined = "".join(w for w in parts if w not in SIDE_OF_WORD)
    if part == "helper":
        return any(w in PART_HINTS["helper"] for w in parts)
    if part == "twist" and TWIST_WORDS & set(parts):
        return True
    if part == "face" and {"ear", "ears"} & set(parts):  # not the ear in forearm and rear
        return True
    if part == "thigh" and "hips" in joined:
        return False
    if part == "foot" and any(hint in joined for hint in PART_HINTS["toe"]):
        return False
    if part == "upper_arm" and "arm" in parts and not {"lower", "low", "fore", "hand"} & set(parts):
        return True
    return any(hint in joined for hint in PART_HINTS[part])


def is_end_name(name: str) -> bool:
    """Return whether a bone is named as the end of a chain, such as Toe_End; it is no segment."""
    words = [w for w in split_words(name) if w not in SIDE_OF_WORD]
    return bool(words) and words[-1] in END_WORDS


def name_stem(name: str) -> str:
    """Return a name without side and numbers, which is equal for all pieces of one bone."""
    return re.sub(r"\d+", "", strip_side(name))


def is_limb_segment_name(name: str) -> bool:
    """Return whether a bone is named as a segment of a limb."""
    return any(is_part_name(name, part) for part in SEGMENT_PARTS)


def is_piece_name(name: str, whole_name: str) -> bool:
    """Return whether a bone is named as a piece of another one, as forearm.L_tw of forearm.L."""
    return name.startswith(whole_name) and all(
        is_part_name(name, part) == is_part_name(whole_name, part) for part in SEGMENT_PARTS
    )


def is_first_half_name(name: str, next_name: str) -> bool:
    """Return whether a bone is the first half of a limb's first segment by its name and the next.

    Such a half is named as a twist bone: in Auto-Rig Pro `thigh_twist` and `thigh_stretch` make a
    thigh.
    """
    return (
        is_part_name(name, "twist")
        and not is_part_name(next_name, "twist")
        and any(
            is_part_name(name, part) and is_part_name(next_name, part)
            for part in ("thigh", "upper_arm")
        )
    )

"""A task as one text file: TOML, with long arrays packed into words."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path as FilePath
from typing import Any, TypeVar

import numpy as np
import tomli_w

from ..character.recognition.skeleton import Skeleton
from ..clip.style.recipe import StyleShare
from ..clip.style.shelf import read_knobs
from ..errors import FootfallError, TaskError
from ..terrain import FlatGround, Ground, HeightField, MeshGround, make_rolling_hills
from .bars import MonkeyBars
from .entries import (
    read_forbidden,
    read_hurdle,
    read_jump,
    read_key_pose,
    read_number,
    read_pinned_step,
    read_projectile,
    read_push,
    read_standing_pose,
    read_tables,
    read_text,
)
from .facing import PathFacing
from .facing_offset import FacingOffset
from .look import GazeTarget
from .packed import read_array, write_array
from .path import Path
from .profile import Profile
from .speed import SpeedProfile
from .stones import SteppingStones
from .task import Task

FORMAT_VERSION = 1
FORMAT_KEY = "footfall_task"
NUMBER_KEYS = {
    "seconds": float,
    "fps": float,
    "friction": float,
    "gravity": float,
    "mass": float,
    "seed": int,
    "stop_at_end": bool,
}
TEXT_KEYS = ("name", "engine", "style", "upper", "gait", "start", "tread")
TABLE_KEYS = (
    "character",
    "path",
    "speed",
    "terrain",
    "stride",
    "width",
    "turned",
    "facing",
    "push",
    "projectile",
    "footstep",
    "hurdle",
    "stones",
    "jump",
    "bars",
    "forbidden",
    "first",
    "last",
    "knobs",
    "mixed",
    "look",
    "struck",
)
# entries of a task's file whose fields are called otherwise; the file keeps its first words
TASK_FIELDS = {
    "upper": "upper_style",
    "stride": "stride_length",
    "width": "step_width_factor",
    "turned": "facing_offset",
    "first": "first_pose",
    "last": "last_pose",
}
PROJECTILE_KEYS = {"launch_position": "place", "body_part": "at", "is_visible": "seen"}
PINNED_STEP_KEYS = {
    "position": "place",
    "heading": "turn",
    "contact_times": "contact",
    "follows_previous": "follows",
}
HILL_SIZES = {"bump": "bump_height"}
JUMP_KEYS = {"distance": "reach"}
T = TypeVar("T")


def save_task(task: Task, path: FilePath) -> None:
    """Write a task file."""
    FilePath(path).write_text(tomli_w.dumps(_task_to_data(task)), encoding="utf-8")


def load_task(path: FilePath) -> Task:
    """Read a task file.

    Raises:
        TaskError: it is missing, no task file, of a newer version,
            or holds something that a task cannot be.
    """
    path = FilePath(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(
            f"The task file {path} cannot be opened: {error.strerror or error}."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TaskError(f"{path} is not a task file: {error}.") from error
    return task_from_data(data, str(path))


def task_from_data(data: dict[str, Any], source: str = "The file") -> Task:
    """A task from the tables of a task file.

    Raises:
        TaskError: as `load_task`; the message names `source`.
    """
    version = data.get(FORMAT_KEY)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TaskError(
            f"{source} is not a task file: its first line should be `{FORMAT_KEY} = "
            f"{FORMAT_VERSION}`."
        )
    if version > FORMAT_VERSION:
        raise TaskError(
            f"{source} is a task of version {version}; this Footfall reads up to version "
            f"{FORMAT_VERSION}. Update Footfall."
        )
    allowed_keys = {FORMAT_KEY, *NUMBER_KEYS, *TEXT_KEYS, *TABLE_KEYS}
    unknown = [key for key in data if key not in allowed_keys]
    if unknown:
        raise TaskError(
            f"{source} has the unknown entry {unknown[0]!r}; a task knows: "
            f"{', '.join(sorted(allowed_keys - {FORMAT_KEY}))}."
        )
    try:
        values: dict[str, Any] = {
            key: read_number(data[key], key, kind)
            for key, kind in NUMBER_KEYS.items()
            if key in data
        }
        values |= {
            TASK_FIELDS.get(key, key): read_text(data[key], key) for key in TEXT_KEYS if key in data
        }
        values |= {
            "path": Path(read_array(_read_table(data, "path").get("points", []), "path's points")),
            "speed": _read_speed(data.get("speed")),
            "character": _read_character(data.get("character", "humanoid")),
            "ground": _read_terrain(_read_table(data, "terrain")),
        }
        values |= {
            TASK_FIELDS[key]: _read_profile(data[key], key, partial(Profile, key))
            for key in ("stride", "width")
            if key in data
        }
        if "turned" in data:
            values["facing_offset"] = _read_profile(data["turned"], "turned", FacingOffset)
        if "facing" in data:
            facing = _read_table(data, "facing")
            values["facing"] = PathFacing(
                read_array(facing.get("headings", []), "facing's headings"),
                read_array(facing.get("stations", [0.0]), "facing's stations"),
            )
        values["pushes"] = tuple(read_push(entry) for entry in read_tables(data, "push"))
        values["projectiles"] = tuple(
            read_projectile(entry) for entry in read_tables(data, "projectile")
        )
        values["pinned_steps"] = tuple(
            read_pinned_step(entry) for entry in read_tables(data, "footstep")
        )
        values["forbidden_areas"] = tuple(
            read_forbidden(entry) for entry in read_tables(data, "forbidden")
        )
        values["hurdles"] = tuple(read_hurdle(entry) for entry in read_tables(data, "hurdle"))
        if "stones" in data:
            values["stepping_stones"] = SteppingStones(
                read_array(_read_table(data, "stones").get("places", []), "stones' places")
            )
        values |= {
            TASK_FIELDS[key]: read_standing_pose(data[key], key)
            for key in ("first", "last")
            if key in data
        }
        if "bars" in data:
            values["monkey_bars"] = MonkeyBars(
                read_array(_read_table(data, "bars").get("rungs", []), "bars' rungs")
            )
        if "look" in data:
            gaze = _read_table(data, "look")
            values["gaze"] = GazeTarget(
                read_array(gaze.get("places", []), "look's places"),
                read_array(gaze.get("times", [0.0]), "look's times"),
            )
        values["knobs"] = read_knobs(data.get("knobs", {}))
        values["mixed_styles"] = tuple(
            StyleShare(name, float(read_number(share, f"share of {name!r}", float)))
            for name, share in _read_table(data, "mixed").items()
        )
        values["key_poses"] = tuple(read_key_pose(entry) for entry in read_tables(data, "struck"))
        values["jumps"] = tuple(read_jump(entry) for entry in read_tables(data, "jump"))
        return Task(**values)
    except FootfallError as error:
        raise TaskError(f"{source}: {error}") from error


def _read_table(data: dict[str, Any], key: str) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise TaskError(f"The entry {key!r} must be a table, written as [{key}].")
    return table


def _read_speed(value: object) -> SpeedProfile:
    if value is None:
        raise TaskError("The speed is missing; write `speed = 1.2`, in metres a second.")
    if isinstance(value, dict):
        return SpeedProfile(
            read_array(value.get("speeds", []), "speeds"),
            read_array(value.get("times", []), "times"),
        )
    return SpeedProfile(float(read_number(value, "speed", float)))


def _read_profile(value: object, label: str, kind: Callable[..., T]) -> T:
    """A number that stays, or a table of values and times, as a profile of some kind."""
    if isinstance(value, dict):
        return kind(
            read_array(value.get("values", []), label), read_array(value.get("times", []), "times")
        )
    return kind(float(read_number(value, label, float)))


def _read_character(value: object) -> str | Skeleton:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        raise TaskError("The character must be the name of a built-in one or a table of bones.")
    names = value.get("names", [])
    skin = value.get("skin", {})
    if (
        not isinstance(names, list)
        or not all(isinstance(x, str) for x in names)
        or not isinstance(skin, dict)
    ):
        raise TaskError(
            "The character's `names` must be a list of bone names, and its `skin` a table by bone "
            "name."
        )
    bones = {
        key: read_array(value.get(key, []), f"character's {key}")
        for key in ("heads", "tails", "axes")
    }
    points = {name: read_array(v, f"skin of {name!r}").reshape(-1, 3) for name, v in skin.items()}
    parts = value.get("parts", {})
    if not isinstance(parts, dict) or not all(isinstance(name, str) for name in parts.values()):
        raise TaskError(
            'The character\'s `parts` must be a table of bone names by part, such as `"thigh.L" = '
            '"LeftUpLeg"`.'
        )
    parents = tuple(
        int(k) for k in read_array(value.get("parents", []), "character's parents", int).ravel()
    )
    return Skeleton(
        tuple(names),
        parents,
        bones["heads"],
        tails=bones["tails"],
        axes=bones["axes"],
        skin=points,
        parts=parts,
    )


def _read_terrain(table: dict[str, Any]) -> Ground:
    kind = table.get("kind", "flat")
    if kind == "flat":
        return FlatGround()
    if kind == "mesh":
        return MeshGround(
            read_array(table.get("vertices", []), "terrain's vertices"),
            read_array(table.get("triangles", []), "terrain's triangles", int),
        )
    if kind == "height_field":
        x, y = (
            float(v) for v in read_array(table.get("origin", [0, 0]), "terrain's origin").ravel()
        )
        return HeightField(
            read_array(table.get("heights", []), "terrain's heights"),
            (x, y),
            float(read_number(table.get("spacing", 1.0), "spacing", float)),
        )
    if kind == "hills":
        defaults = {"length": 40.0, "width": 8.0, "bump": 0.15, "slope_deg": 10.0}
        sizes = {
            HILL_SIZES.get(key, key): float(read_number(table.get(key, default), key, float))
            for key, default in defaults.items()
        }
        return make_rolling_hills(
            np.random.default_rng(int(read_number(table.get("seed", 0), "seed", int))), **sizes
        )
    raise TaskError(
        f"There is no terrain of the kind {kind!r}; there are: flat, hills, height_field, mesh."
    )


def _task_to_data(task: Task) -> dict[str, Any]:
    data: dict[str, Any] = {
        FORMAT_KEY: FORMAT_VERSION,
        **{
            key: value
            for key in TEXT_KEYS
            if (value := getattr(task, TASK_FIELDS.get(key, key))) is not None
        },
    }
    data |= {
        key: kind(value)
        for key, kind in NUMBER_KEYS.items()
        if (value := getattr(task, key)) is not None
    }
    data["character"] = (
        task.character if isinstance(task.character, str) else _skeleton_to_data(task.character)
    )
    data["path"] = {"points": write_array(task.path.points)}
    data["speed"] = {
        "speeds": write_array(task.speed.values),
        "times": write_array(task.speed.times),
    }
    data["terrain"] = _terrain_to_data(task.ground)
    for key in ("stride", "width", "turned"):
        profile = getattr(task, TASK_FIELDS[key])
        if profile is not None and (key != "turned" or profile.values.any()):
            data[key] = {"values": write_array(profile.values), "times": write_array(profile.times)}
    if task.facing is not None:
        data["facing"] = {
            "headings": write_array(task.facing.headings),
            "stations": write_array(task.facing.stations),
        }
    if task.pushes:
        data["push"] = [
            {
                "time": p.time,
                "force": list(p.force),
                "seconds": p.seconds,
                "at": p.body_part,
                **({"moment": list(p.moment)} if any(p.moment) else {}),
            }
            for p in task.pushes
        ]
    if task.projectiles:
        data["projectile"] = [
            {
                PROJECTILE_KEYS.get(key, key): list(value) if isinstance(value, tuple) else value
                for key, value in vars(p).items()
                if value is not None
            }
            for p in task.projectiles
        ]
    if task.pinned_steps:
        data["footstep"] = [
            {
                PINNED_STEP_KEYS.get(key, key): list(value) if isinstance(value, tuple) else value
                for key, value in vars(k).items()
                if value is not None and value is not False
            }
            for k in task.pinned_steps
        ]
    if task.stepping_stones is not None:
        data["stones"] = {"places": write_array(task.stepping_stones.places)}
    if task.monkey_bars is not None:
        data["bars"] = {"rungs": write_array(task.monkey_bars.rungs)}
    if task.forbidden_areas:
        data["forbidden"] = [
            {"points": [list(p) for p in f.points], "radius": f.radius}
            for f in task.forbidden_areas
        ]
    if task.hurdles:
        data["hurdle"] = [
            {"start": list(h.start), "end": list(h.end), "height": h.height, "depth": h.depth}
            for h in task.hurdles
        ]
    for key, pose in (("first", task.first_pose), ("last", task.last_pose)):
        if pose is not None:
            data[key] = {
                "position": list(pose.position),
                "turns": {name: list(quaternion) for name, quaternion in pose.orientations.items()},
            }
    if task.gaze is not None:
        data["look"] = {
            "places": write_array(task.gaze.places),
            "times": write_array(task.gaze.times),
        }
    if task.key_poses:
        data["struck"] = [
            {
                "time": s.time,
                "hold": s.hold_time,
                "blend": s.blend_time,
                "turns": {name: list(quaternion) for name, quaternion in s.orientations.items()},
            }
            for s in task.key_poses
        ]
    if task.mixed_styles:
        data["mixed"] = {part.style: part.share for part in task.mixed_styles}
    if task.knobs.list_changes():
        data["knobs"] = task.knobs.list_changes()
    if task.jumps:
        data["jump"] = [
            {JUMP_KEYS.get(key, key): value for key, value in asdict(j).items()} for j in task.jumps
        ]
    return data


def _skeleton_to_data(skeleton: Skeleton) -> dict[str, Any]:
    return {
        "names": list(skeleton.names),
        "parents": list(skeleton.parents),
        "heads": write_array(skeleton.heads),
        "tails": write_array(skeleton.tails),
        "axes": write_array(skeleton.axes),
        "skin": {
            name: write_array(np.asarray(points, np.float32))
            for name, points in skeleton.skin.items()
        },
        **({"parts": dict(skeleton.parts)} if skeleton.parts else {}),
    }


def _terrain_to_data(ground: Ground) -> dict[str, Any]:
    if isinstance(ground, HeightField):
        return {
            "kind": "height_field",
            "origin": [float(v) for v in ground.origin],
            "spacing": ground.spacing,
            "heights": write_array(ground.heights),
        }
    mesh = ground.to_mesh()
    if mesh is None:
        return {"kind": "flat"}
    return {"kind": "mesh", "vertices": write_array(mesh[0]), "triangles": write_array(mesh[1])}

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
from ..clip.style.recipe import Share
from ..clip.style.shelf import read_knobs
from ..errors import FootfallError, TaskError
from ..terrain import Flat, Ground, HeightField, MeshGround, rolling_hills
from .bars import Bars
from .entries import (
    entries,
    number,
    read_forbidden,
    read_hurdle,
    read_jump,
    read_kept,
    read_pose,
    read_projectile,
    read_push,
    read_struck,
    word,
)
from .facing import Facing
from .facing_offset import Turned
from .look import Look
from .packed import read_array, write_array
from .path import Path
from .profile import Profile
from .speed import SpeedProfile
from .stones import Stones
from .task import Task

VERSION = 1
MARK = "footfall_task"
NUMBERS = {"seconds": float, "fps": float, "friction": float, "gravity": float, "mass": float, "seed": int, "stop_at_end": bool}
WORDS = ("name", "engine", "style", "upper", "gait", "start", "tread")
TABLES = ("character", "path", "speed", "terrain", "stride", "width", "turned", "facing", "push", "projectile", "footstep",
          "hurdle", "stones", "jump", "bars", "forbidden", "first", "last", "knobs", "mixed", "look", "struck")
T = TypeVar("T")


def save_task(task: Task, path: FilePath) -> None:
    """Write a task file."""
    FilePath(path).write_text(tomli_w.dumps(_to_data(task)), encoding="utf-8")


def load_task(path: FilePath) -> Task:
    """Read a task file.

    Raises:
        TaskError: it is missing, no task file, of a newer version, or holds something that a task cannot be.
    """
    path = FilePath(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TaskError(f"The task file {path} cannot be opened: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TaskError(f"{path} is not a task file: {error}.") from error
    return task_from_data(data, str(path))


def task_from_data(data: dict[str, Any], source: str = "The file") -> Task:
    """A task from the tables of a task file.

    Raises:
        TaskError: as `load_task`; the message names `source`.
    """
    version = data.get(MARK)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TaskError(f"{source} is not a task file: its first line should be `{MARK} = {VERSION}`.")
    if version > VERSION:
        raise TaskError(f"{source} is a task of version {version}; this Footfall reads up to version {VERSION}. Update Footfall.")
    known = {MARK, *NUMBERS, *WORDS, *TABLES}
    strange = [key for key in data if key not in known]
    if strange:
        raise TaskError(f"{source} has the unknown entry {strange[0]!r}; a task knows: {', '.join(sorted(known - {MARK}))}.")
    try:
        values: dict[str, Any] = {key: number(data[key], key, kind) for key, kind in NUMBERS.items() if key in data}
        values |= {key: word(data[key], key) for key in WORDS if key in data}
        values |= {"path": Path(read_array(_table(data, "path").get("points", []), "path's points")),
                   "speed": _read_speed(data.get("speed")), "character": _read_character(data.get("character", "humanoid")),
                   "ground": _read_terrain(_table(data, "terrain"))}
        values |= {key: _read_over_time(data[key], key, partial(Profile, key)) for key in ("stride", "width") if key in data}
        if "turned" in data:
            values["turned"] = _read_over_time(data["turned"], "turned", Turned)
        if "facing" in data:
            facing = _table(data, "facing")
            values["facing"] = Facing(read_array(facing.get("headings", []), "facing's headings"),
                                      read_array(facing.get("stations", [0.0]), "facing's stations"))
        values["pushes"] = tuple(read_push(entry) for entry in entries(data, "push"))
        values["projectiles"] = tuple(read_projectile(entry) for entry in entries(data, "projectile"))
        values["kept"] = tuple(read_kept(entry) for entry in entries(data, "footstep"))
        values["forbidden"] = tuple(read_forbidden(entry) for entry in entries(data, "forbidden"))
        values["hurdles"] = tuple(read_hurdle(entry) for entry in entries(data, "hurdle"))
        if "stones" in data:
            values["stones"] = Stones(read_array(_table(data, "stones").get("places", []), "stones' places"))
        values |= {key: read_pose(data[key], key) for key in ("first", "last") if key in data}
        if "bars" in data:
            values["bars"] = Bars(read_array(_table(data, "bars").get("rungs", []), "bars' rungs"))
        if "look" in data:
            look = _table(data, "look")
            values["look"] = Look(read_array(look.get("places", []), "look's places"),
                                  read_array(look.get("times", [0.0]), "look's times"))
        values["knobs"] = read_knobs(data.get("knobs", {}))
        values["mixed"] = tuple(Share(name, float(number(share, f"share of {name!r}", float)))
                                for name, share in _table(data, "mixed").items())
        values["struck"] = tuple(read_struck(entry) for entry in entries(data, "struck"))
        values["jumps"] = tuple(read_jump(entry) for entry in entries(data, "jump"))
        return Task(**values)
    except FootfallError as error:
        raise TaskError(f"{source}: {error}") from error


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise TaskError(f"The entry {key!r} must be a table, written as [{key}].")
    return table


def _read_speed(value: object) -> SpeedProfile:
    if value is None:
        raise TaskError("The speed is missing; write `speed = 1.2`, in metres a second.")
    if isinstance(value, dict):
        return SpeedProfile(read_array(value.get("speeds", []), "speeds"), read_array(value.get("times", []), "times"))
    return SpeedProfile(float(number(value, "speed", float)))


def _read_over_time(value: object, what: str, kind: Callable[..., T]) -> T:
    """A number that stays, or a table of values and times, as a profile of some kind."""
    if isinstance(value, dict):
        return kind(read_array(value.get("values", []), what), read_array(value.get("times", []), "times"))
    return kind(float(number(value, what, float)))


def _read_character(value: object) -> str | Skeleton:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        raise TaskError("The character must be the name of a built-in one or a table of bones.")
    names = value.get("names", [])
    skin = value.get("skin", {})
    if not isinstance(names, list) or not all(isinstance(x, str) for x in names) or not isinstance(skin, dict):
        raise TaskError("The character's `names` must be a list of bone names, and its `skin` a table by bone name.")
    bones = {key: read_array(value.get(key, []), f"character's {key}") for key in ("heads", "tails", "axes")}
    points = {name: read_array(v, f"skin of {name!r}").reshape(-1, 3) for name, v in skin.items()}
    parts = value.get("parts", {})
    if not isinstance(parts, dict) or not all(isinstance(name, str) for name in parts.values()):
        raise TaskError("The character's `parts` must be a table of bone names by part, such as `\"thigh.L\" = \"LeftUpLeg\"`.")
    parents = tuple(int(k) for k in read_array(value.get("parents", []), "character's parents", int).ravel())
    return Skeleton(tuple(names), parents, bones["heads"], bones["tails"], bones["axes"], points, parts=parts)


def _read_terrain(table: dict[str, Any]) -> Ground:
    kind = table.get("kind", "flat")
    if kind == "flat":
        return Flat()
    if kind == "mesh":
        return MeshGround(read_array(table.get("vertices", []), "terrain's vertices"),
                          read_array(table.get("triangles", []), "terrain's triangles", int))
    if kind == "height_field":
        x, y = (float(v) for v in read_array(table.get("origin", [0, 0]), "terrain's origin").ravel())
        return HeightField(read_array(table.get("heights", []), "terrain's heights"), (x, y),
                           float(number(table.get("spacing", 1.0), "spacing", float)))
    if kind == "hills":
        known = {"length": 40.0, "width": 8.0, "bump": 0.15, "slope_deg": 10.0}
        sizes = {key: float(number(table.get(key, default), key, float)) for key, default in known.items()}
        return rolling_hills(np.random.default_rng(int(number(table.get("seed", 0), "seed", int))), **sizes)
    raise TaskError(f"There is no terrain of the kind {kind!r}; there are: flat, hills, height_field, mesh.")


def _to_data(task: Task) -> dict[str, Any]:
    data: dict[str, Any] = {MARK: VERSION, **{key: value for key in WORDS if (value := getattr(task, key)) is not None}}
    data |= {key: kind(value) for key, kind in NUMBERS.items() if (value := getattr(task, key)) is not None}
    data["character"] = task.character if isinstance(task.character, str) else _skeleton_data(task.character)
    data["path"] = {"points": write_array(task.path.points)}
    data["speed"] = {"speeds": write_array(task.speed.values), "times": write_array(task.speed.times)}
    data["terrain"] = _terrain_data(task.ground)
    for key in ("stride", "width", "turned"):
        profile = getattr(task, key)
        if profile is not None and (key != "turned" or profile.values.any()):
            data[key] = {"values": write_array(profile.values), "times": write_array(profile.times)}
    if task.facing is not None:
        data["facing"] = {"headings": write_array(task.facing.headings), "stations": write_array(task.facing.stations)}
    if task.pushes:
        data["push"] = [{"time": p.time, "force": list(p.force), "seconds": p.seconds, "at": p.at,
                         **({"moment": list(p.moment)} if any(p.moment) else {})} for p in task.pushes]
    if task.projectiles:
        data["projectile"] = [{key: list(value) if isinstance(value, tuple) else value for key, value in vars(p).items()
                               if value is not None} for p in task.projectiles]
    if task.kept:
        data["footstep"] = [{key: list(value) if isinstance(value, tuple) else value for key, value in vars(k).items()
                             if value is not None and value is not False} for k in task.kept]
    if task.stones is not None:
        data["stones"] = {"places": write_array(task.stones.places)}
    if task.bars is not None:
        data["bars"] = {"rungs": write_array(task.bars.rungs)}
    if task.forbidden:
        data["forbidden"] = [{"points": [list(p) for p in f.points], "radius": f.radius} for f in task.forbidden]
    if task.hurdles:
        data["hurdle"] = [{"start": list(h.start), "end": list(h.end), "height": h.height, "depth": h.depth} for h in task.hurdles]
    for key, pose in (("first", task.first), ("last", task.last)):
        if pose is not None:
            data[key] = {"position": list(pose.position), "turns": {name: list(turn) for name, turn in pose.turns.items()}}
    if task.look is not None:
        data["look"] = {"places": write_array(task.look.places), "times": write_array(task.look.times)}
    if task.struck:
        data["struck"] = [{"time": s.time, "hold": s.hold, "blend": s.blend,
                           "turns": {name: list(turn) for name, turn in s.turns.items()}} for s in task.struck]
    if task.mixed:
        data["mixed"] = {part.style: part.share for part in task.mixed}
    if task.knobs.turned():
        data["knobs"] = task.knobs.turned()
    if task.jumps:
        data["jump"] = [asdict(j) for j in task.jumps]
    return data


def _skeleton_data(skeleton: Skeleton) -> dict[str, Any]:
    return {"names": list(skeleton.names), "parents": list(skeleton.parents), "heads": write_array(skeleton.heads),
            "tails": write_array(skeleton.tails), "axes": write_array(skeleton.axes),
            "skin": {name: write_array(np.asarray(points, np.float32)) for name, points in skeleton.skin.items()},
            **({"parts": dict(skeleton.parts)} if skeleton.parts else {})}


def _terrain_data(ground: Ground) -> dict[str, Any]:
    if isinstance(ground, HeightField):
        return {"kind": "height_field", "origin": [float(v) for v in ground.origin], "spacing": ground.spacing,
                "heights": write_array(ground.heights)}
    mesh = ground.mesh()
    if mesh is None:
        return {"kind": "flat"}
    return {"kind": "mesh", "vertices": write_array(mesh[0]), "triangles": write_array(mesh[1])}

"""Entries of a task file: numbers and words, pushes, projectiles, kept footsteps, hurdles and
jumps, each checked as it is read.
"""

from __future__ import annotations

from typing import Any

from ..errors import TaskError
from .forbidden import ForbiddenArea
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import KeyPose
from .pinned_step import PinnedStep
from .projectile import Projectile
from .push import Push
from .standing_pose import Quaternion, StandingPose


def read_tables(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables of a list, none where there is no such list."""
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise TaskError(f"The entry {key!r} must be a list of tables, each written as [[{key}]].")
    return tables


def read_push(entry: dict[str, Any]) -> Push:
    """A push."""
    unknown = [key for key in entry if key not in ("time", "force", "seconds", "at", "moment")]
    if unknown:
        raise TaskError(
            f"A push has the unknown entry {unknown[0]!r}; it knows: time, force, seconds, at, "
            "moment."
        )
    x, y, z = _read_numbers(entry.get("force"), "push's force", (0, 300, 0))
    a, b, c = _read_numbers(entry.get("moment", [0.0, 0.0, 0.0]), "push's moment", (0, 0, 20))
    return Push(
        float(read_number(entry.get("time", 0.0), "time", float)),
        (x, y, z),
        float(read_number(entry.get("seconds", 0.2), "seconds", float)),
        body_part=read_text(entry.get("at", "com"), "at"),
        moment=(a, b, c),
    )


def read_projectile(entry: dict[str, Any]) -> Projectile:
    """A ball that is thrown."""
    number_keys = ("time", "speed", "direction", "distance", "radius", "mass", "restitution")
    allowed_keys = (*number_keys, "place", "at", "seen")
    unknown = [key for key in entry if key not in allowed_keys]
    if unknown:
        raise TaskError(
            f"A projectile has the unknown entry {unknown[0]!r}; it knows: "
            f"{', '.join(allowed_keys)}."
        )
    values: dict[str, Any] = {
        key: float(read_number(entry[key], key, float)) for key in number_keys if key in entry
    }
    if "place" in entry:
        values["launch_position"] = tuple(
            _read_numbers(entry["place"], "projectile's place", (8.0, 0.0, 1.3))
        )
    if "at" in entry:
        values["body_part"] = read_text(entry["at"], "at")
    if "seen" in entry:
        values["is_visible"] = bool(read_number(entry["seen"], "seen", bool))
    return Projectile(**{"time": 0.0, **values})


def read_pinned_step(entry: dict[str, Any]) -> PinnedStep:
    """A kept footstep."""
    unknown = [
        key for key in entry if key not in ("side", "time", "place", "turn", "contact", "follows")
    ]
    if unknown:
        raise TaskError(
            f"A footstep has the unknown entry {unknown[0]!r}; it knows: side, time, place, turn, "
            "contact, follows."
        )
    position = entry.get("place")
    if not isinstance(position, list) or len(position) != 2:
        raise TaskError(
            f"A footstep's place must be two numbers, such as [1.2, 0.1]; it is {position!r}."
        )
    x, y = (float(read_number(v, "place", float)) for v in position)
    heading = float(read_number(entry["turn"], "turn", float)) if "turn" in entry else None
    contact_times = entry.get("contact")
    if contact_times is not None and (
        not isinstance(contact_times, list) or len(contact_times) != 4
    ):
        raise TaskError(f"A footstep's contact must be four times; it is {contact_times!r}.")
    a, b, c, d = (float(read_number(v, "contact", float)) for v in contact_times or (0, 0, 0, 0))
    return PinnedStep(
        read_text(entry.get("side", ""), "side"),
        float(read_number(entry.get("time"), "time", float)),
        (x, y),
        heading=heading,
        contact_times=None if contact_times is None else (a, b, c, d),
        follows_previous=bool(read_number(entry.get("follows", False), "follows", bool)),
    )


def read_hurdle(entry: dict[str, Any]) -> Hurdle:
    """A hurdle."""
    unknown = [key for key in entry if key not in ("start", "end", "height", "depth")]
    if unknown:
        raise TaskError(
            f"A hurdle has the unknown entry {unknown[0]!r}; it knows: start, end, height, depth."
        )
    (a, b), (c, d) = (
        _read_numbers(entry.get(key), f"hurdle's {key}", (4.0, 0.6)) for key in ("start", "end")
    )
    height, depth = (
        float(read_number(entry.get(key, default), key, float))
        for key, default in (("height", 0.6), ("depth", 0.0))
    )
    return Hurdle((a, b), (c, d), height, depth)


def read_forbidden(entry: dict[str, Any]) -> ForbiddenArea:
    """Ground that no foot may stand on."""
    unknown = [key for key in entry if key not in ("points", "radius")]
    if unknown:
        raise TaskError(
            f"Forbidden ground has the unknown entry {unknown[0]!r}; it knows: points, radius."
        )
    points = entry.get("points")
    if not isinstance(points, list):
        raise TaskError(
            "The forbidden ground's points must be a list of places, such as [[4.0, 0.2]]; they "
            f"are {points!r}."
        )
    places = [_read_numbers(p, "forbidden ground's point", (4.0, 0.2)) for p in points]
    return ForbiddenArea(
        tuple((x, y) for x, y in places),
        float(read_number(entry.get("radius", 0.0), "radius", float)),
    )


def read_standing_pose(entry: object, label: str) -> StandingPose:
    """A standing pose."""
    orientations = entry.get("turns", {}) if isinstance(entry, dict) else None
    if (
        not isinstance(entry, dict)
        or set(entry) - {"position", "turns"}
        or not isinstance(orientations, dict)
    ):
        raise TaskError(
            f"The {label} pose must be a table of position and turns, the turns a table of "
            "quaternions by link."
        )
    x, y, z = _read_numbers(entry.get("position"), f"{label} pose's position", (0.0, 0.0, 0.95))
    return StandingPose((x, y, z), _read_orientations(orientations, f"{label} pose"))


def read_key_pose(entry: dict[str, Any]) -> KeyPose:
    """A pose that is struck."""
    allowed_keys = ("time", "turns", "hold", "blend")
    orientations = entry.get("turns")
    unknown = [key for key in entry if key not in allowed_keys]
    if unknown or not isinstance(orientations, dict) or "time" not in entry:
        raise TaskError(
            "A struck pose must have a time and turns, these a table of quaternions by link, and "
            f"may have hold and blend; it has: {', '.join(entry) or 'nothing'}."
        )
    time, hold_time, blend_time = (
        float(read_number(entry.get(key, default), key, float))
        for key, default in zip(
            ("time", "hold", "blend"), (0.0, KeyPose.hold_time, KeyPose.blend_time), strict=True
        )
    )
    return KeyPose(time, _read_orientations(orientations, "struck pose"), hold_time, blend_time)


def _read_orientations(table: dict[str, Any], owner: str) -> dict[str, Quaternion]:
    """Quaternions by link."""
    orientations = {}
    for name, quaternion in table.items():
        a, b, c, d = _read_numbers(quaternion, f"{owner}'s turn of {name}", (1.0, 0.0, 0.0, 0.0))
        orientations[name] = (a, b, c, d)
    return orientations


def _read_numbers(value: object, label: str, example: tuple[float, ...]) -> list[float]:
    if not isinstance(value, list) or len(value) != len(example):
        raise TaskError(
            f"The {label} must be {len(example)} numbers, such as {list(example)}; it is {value!r}."
        )
    return [float(read_number(v, label, float)) for v in value]


def read_jump(entry: dict[str, Any]) -> Jump:
    """A jump."""
    allowed_keys = ("time", "height", "reach", "turn", "flips")
    unknown = [key for key in entry if key not in allowed_keys]
    if unknown:
        raise TaskError(
            f"A jump has the unknown entry {unknown[0]!r}; it knows: {', '.join(allowed_keys)}."
        )
    missing = [key for key in allowed_keys[:2] if key not in entry]
    if missing:
        raise TaskError(
            f"A jump lacks its {missing[0]}; write for example `time = 1.5` and `height = 0.3`."
        )
    time, height, distance, turn, flips = (
        float(read_number(entry.get(key, 0.0), key, float)) for key in allowed_keys
    )
    if not flips.is_integer():
        raise TaskError(f"A jump has {flips:g} flips; give a whole number.")
    return Jump(time, height, distance, turn=turn, flips=int(flips))


def read_number(value: object, key: str, kind: type) -> float | int | bool:
    """A number of a kind, or a message that names the entry."""
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise TaskError(f"The entry {key!r} must be true or false; it is {value!r}.")
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or (kind is int and not isinstance(value, int))
    ):
        raise TaskError(
            f"The entry {key!r} must be a {'whole ' if kind is int else ''}number; it is {value!r}."
        )
    if kind is int and value < 0:
        raise TaskError(f"The entry {key!r} must not be negative; it is {value}.")
    return kind(value)


def read_text(value: object, key: str) -> str:
    """Text, or a message that names the entry."""
    if not isinstance(value, str):
        raise TaskError(f"The entry {key!r} must be text; it is {value!r}.")
    return value

"""Entries of a task file: numbers and words, pushes, projectiles, kept footsteps, hurdles and jumps, each checked as it is read."""
from __future__ import annotations

from typing import Any

from ..errors import TaskError
from .forbidden import Forbidden
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import StruckPose
from .pinned_step import KeptStep
from .projectile import Projectile
from .push import Push
from .standing_pose import Quaternion, StandingPose


def entries(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables of a list, none where there is no such list."""
    found = data.get(key, [])
    if not isinstance(found, list) or not all(isinstance(e, dict) for e in found):
        raise TaskError(f"The entry {key!r} must be a list of tables, each written as [[{key}]].")
    return found


def read_push(entry: dict[str, Any]) -> Push:
    """A push."""
    strange = [key for key in entry if key not in ("time", "force", "seconds", "at", "moment")]
    if strange:
        raise TaskError(f"A push has the unknown entry {strange[0]!r}; it knows: time, force, seconds, at, moment.")
    x, y, z = _numbers(entry.get("force"), "push's force", (0, 300, 0))
    a, b, c = _numbers(entry.get("moment", [0.0, 0.0, 0.0]), "push's moment", (0, 0, 20))
    return Push(float(number(entry.get("time", 0.0), "time", float)), (x, y, z),
                float(number(entry.get("seconds", 0.2), "seconds", float)), word(entry.get("at", "com"), "at"), (a, b, c))


def read_projectile(entry: dict[str, Any]) -> Projectile:
    """A ball that is thrown."""
    numbers = ("time", "speed", "direction", "distance", "radius", "mass", "restitution")
    known = (*numbers, "place", "at", "seen")
    strange = [key for key in entry if key not in known]
    if strange:
        raise TaskError(f"A projectile has the unknown entry {strange[0]!r}; it knows: {', '.join(known)}.")
    values: dict[str, Any] = {key: float(number(entry[key], key, float)) for key in numbers if key in entry}
    if "place" in entry:
        values["place"] = tuple(_numbers(entry["place"], "projectile's place", (8.0, 0.0, 1.3)))
    if "at" in entry:
        values["at"] = word(entry["at"], "at")
    if "seen" in entry:
        values["seen"] = bool(number(entry["seen"], "seen", bool))
    return Projectile(**{"time": 0.0, **values})


def read_kept(entry: dict[str, Any]) -> KeptStep:
    """A kept footstep."""
    strange = [key for key in entry if key not in ("side", "time", "place", "turn", "contact", "follows")]
    if strange:
        raise TaskError(f"A footstep has the unknown entry {strange[0]!r}; it knows: side, time, place, turn, contact, follows.")
    place = entry.get("place")
    if not isinstance(place, list) or len(place) != 2:
        raise TaskError(f"A footstep's place must be two numbers, such as [1.2, 0.1]; it is {place!r}.")
    x, y = (float(number(v, "place", float)) for v in place)
    turn = float(number(entry["turn"], "turn", float)) if "turn" in entry else None
    times = entry.get("contact")
    if times is not None and (not isinstance(times, list) or len(times) != 4):
        raise TaskError(f"A footstep's contact must be four times; it is {times!r}.")
    a, b, c, d = (float(number(v, "contact", float)) for v in times or (0, 0, 0, 0))
    return KeptStep(word(entry.get("side", ""), "side"), float(number(entry.get("time"), "time", float)), (x, y), turn,
                    None if times is None else (a, b, c, d), bool(number(entry.get("follows", False), "follows", bool)))


def read_hurdle(entry: dict[str, Any]) -> Hurdle:
    """A hurdle."""
    strange = [key for key in entry if key not in ("start", "end", "height", "depth")]
    if strange:
        raise TaskError(f"A hurdle has the unknown entry {strange[0]!r}; it knows: start, end, height, depth.")
    (a, b), (c, d) = (_numbers(entry.get(key), f"hurdle's {key}", (4.0, 0.6)) for key in ("start", "end"))
    height, depth = (float(number(entry.get(key, usual), key, float)) for key, usual in (("height", 0.6), ("depth", 0.0)))
    return Hurdle((a, b), (c, d), height, depth)


def read_forbidden(entry: dict[str, Any]) -> Forbidden:
    """Ground that no foot may stand on."""
    strange = [key for key in entry if key not in ("points", "radius")]
    if strange:
        raise TaskError(f"Forbidden ground has the unknown entry {strange[0]!r}; it knows: points, radius.")
    points = entry.get("points")
    if not isinstance(points, list):
        raise TaskError(f"The forbidden ground's points must be a list of places, such as [[4.0, 0.2]]; they are {points!r}.")
    places = [_numbers(p, "forbidden ground's point", (4.0, 0.2)) for p in points]
    return Forbidden(tuple((x, y) for x, y in places), float(number(entry.get("radius", 0.0), "radius", float)))


def read_pose(entry: object, which: str) -> StandingPose:
    """A standing pose."""
    turns = entry.get("turns", {}) if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or set(entry) - {"position", "turns"} or not isinstance(turns, dict):
        raise TaskError(f"The {which} pose must be a table of position and turns, the turns a table of quaternions by link.")
    x, y, z = _numbers(entry.get("position"), f"{which} pose's position", (0.0, 0.0, 0.95))
    return StandingPose((x, y, z), _turns(turns, f"{which} pose"))


def read_struck(entry: dict[str, Any]) -> StruckPose:
    """A pose that is struck."""
    known = ("time", "turns", "hold", "blend")
    turns = entry.get("turns")
    strange = [key for key in entry if key not in known]
    if strange or not isinstance(turns, dict) or "time" not in entry:
        raise TaskError(f"A struck pose must have a time and turns, these a table of quaternions by link, and may have hold and "
                        f"blend; it has: {', '.join(entry) or 'nothing'}.")
    time, hold, blend = (float(number(entry.get(key, usual), key, float)) for key, usual in zip(
        ("time", "hold", "blend"), (0.0, StruckPose.hold, StruckPose.blend), strict=True))
    return StruckPose(time, _turns(turns, "struck pose"), hold, blend)


def _turns(table: dict[str, Any], whose: str) -> dict[str, Quaternion]:
    """Quaternions by link."""
    out = {}
    for name, turn in table.items():
        a, b, c, d = _numbers(turn, f"{whose}'s turn of {name}", (1.0, 0.0, 0.0, 0.0))
        out[name] = (a, b, c, d)
    return out


def _numbers(value: object, what: str, such: tuple[float, ...]) -> list[float]:
    if not isinstance(value, list) or len(value) != len(such):
        raise TaskError(f"The {what} must be {len(such)} numbers, such as {list(such)}; it is {value!r}.")
    return [float(number(v, what, float)) for v in value]


def read_jump(entry: dict[str, Any]) -> Jump:
    """A jump."""
    known = ("time", "height", "reach", "turn", "flips")
    strange = [key for key in entry if key not in known]
    if strange:
        raise TaskError(f"A jump has the unknown entry {strange[0]!r}; it knows: {', '.join(known)}.")
    missing = [key for key in known[:2] if key not in entry]
    if missing:
        raise TaskError(f"A jump lacks its {missing[0]}; write for example `time = 1.5` and `height = 0.3`.")
    time, height, reach, turn, flips = (float(number(entry.get(key, 0.0), key, float)) for key in known)
    if not flips.is_integer():
        raise TaskError(f"A jump has {flips:g} flips; give a whole number.")
    return Jump(time, height, reach, turn, int(flips))


def number(value: object, key: str, kind: type) -> float | int | bool:
    """A number of a kind, or a message that names the entry."""
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise TaskError(f"The entry {key!r} must be true or false; it is {value!r}.")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (kind is int and not isinstance(value, int)):
        raise TaskError(f"The entry {key!r} must be a {'whole ' if kind is int else ''}number; it is {value!r}.")
    if kind is int and value < 0:
        raise TaskError(f"The entry {key!r} must not be negative; it is {value}.")
    return kind(value)


def word(value: object, key: str) -> str:
    """Text, or a message that names the entry."""
    if not isinstance(value, str):
        raise TaskError(f"The entry {key!r} must be text; it is {value!r}.")
    return value

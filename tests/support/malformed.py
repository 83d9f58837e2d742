"""Malformed files of every kind that Footfall reads: valid ones, with parts damaged at random."""

from __future__ import annotations

import copy
import io
import json
import math
import os
import struct
import tomllib
import zipfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import tomli_w
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.clip import (
    analyze_clip_file,
    find_quadruped_style,
    find_style,
    find_upper_body,
    is_quadruped_file,
)
from footfall.core.engine.adaptive.controller_file import load_controller
from footfall.core.engine.adaptive.movement_choice import CONTROLLERS_FOLDER
from footfall.core.engine.learned.identity import NetworkIdentity
from footfall.core.engine.learned.network import Network
from footfall.core.engine.learned.training import Normalization, TrainedNetwork
from footfall.core.engine.learned.weights_file import (
    LearnedNetwork,
    NetworkAbout,
    load_network,
    save_network,
)
from footfall.core.motion import Footstep, Motion, load_motion, save_motion
from footfall.core.motion.motion import Solid
from footfall.core.task import load_task

ROOT = Path(__file__).resolve().parents[2]
SMALL_DATA = ROOT / "tests" / "data" / "small"
BODIES = ROOT / "core" / "character" / "bodies"
STYLES = ROOT / "core" / "clip" / "styles"
QUADRUPED_STYLES = ROOT / "core" / "clip" / "quadrupeds"

VALUES: tuple[Any, ...] = (
    10**400,
    -(10**30),
    2**63,
    -1,
    0,
    1,
    3,
    1e308,
    1e9,
    1e-320,
    -1e-9,
    float("nan"),
    float("inf"),
    True,
    "",
    "x\0y",
    "../../etc/passwd",
    "/etc/passwd",
    "other",
    "a" * 3000,
    [],
    [[]],
    [[1, 2], [3]],
    [1, 2, 3],
    [1.0] * 20_000,
    ["x"],
    [float("nan")] * 3,
    {},
    {"a": 1},
    [{}],
)
WORDS = (
    "nan",
    "inf",
    "-1",
    "0",
    "1e400",
    "-1e38",
    "1e9",
    "99999999999999999999",
    "9" * 5000,
    "0x" + "f" * 6000,
    "",
    "x",
    "\0",
    "\x1b[2J",
    "é",
    "{",
    "}",
    "<",
    "]",
    '"',
    "../x",
    "a.b",
    "1" * 400,
    "0.0000000001",
)


def read_any(kind: str, path: Path) -> None:
    """Read a file of a kind as users do.

    Raises:
        FootfallError: it is malformed.
    """
    if kind in ("body", "mjcf", "urdf"):
        KinematicModel(load_character(path))
    elif kind == "style":
        find_quadruped_style(path) if is_quadruped_file(path) else find_style(path)
    elif kind == "clip":
        analyze_clip_file(path)
        find_upper_body(path)
        find_style(path)
    elif kind == "motion":
        load_motion(path)
    elif kind == "network":
        load_network(path)
    elif kind == "controller":
        load_controller(path)
    else:
        load_task(path)


def draw_file(kind: str, random: Random, folder: Path) -> Path:
    """Write a malformed file into an empty folder and return its path."""
    path = folder / f"{'motion' if kind == 'motion' else 'file'}{SUFFIXES[kind]}"
    share = random.random()
    if share < 0.03:
        _write_special(path, random)
        return path
    WRITERS[kind](random, path)
    if share < 0.25 and path.is_file():
        path.write_bytes(_damage_bytes(path.read_bytes(), random))
    return path


def _write_special(path: Path, random: Random) -> None:
    """Write a file that is no regular one, or is empty, large or endless."""
    kind = random.randrange(8)
    if kind == 0:
        os.mkfifo(path)
    elif kind == 1:
        path.mkdir()
    elif kind == 2:
        path.symlink_to(path)
    elif kind == 3:
        path.symlink_to("/dev/zero")
    elif kind == 4:
        path.write_bytes(b"")
    elif kind == 5:
        with path.open("wb") as file:
            file.truncate(5 << 30)  # a hole, which takes no space
    elif kind == 6:
        path.write_bytes(random.randbytes(random.randrange(3000)))
    else:
        path.write_text(random.choice(["[", "{a=", "<a>", "HIERARCHY ", "a."]) * 50_000)


def _damage_bytes(data: bytes, random: Random) -> bytes:
    """Return data with bytes removed, repeated, replaced or put in."""
    for _ in range(random.choice([1, 1, 2, 5])):
        begin = random.randrange(len(data) + 1)
        end = min(len(data), begin + random.choice([0, 1, 2, 20, 1000]))
        new = random.choice(
            [
                b"",
                random.randbytes(random.choice([1, 4, 40])),
                data[begin:end] * 3,
                random.choice(WORDS).encode(),
                b"\xff" * 8,
            ]
        )
        data = data[:begin] + new + data[end:]
    if random.random() < 0.2:
        data = data[: random.randrange(len(data) + 1)]
    return data


def _replace_word(text: str, random: Random) -> str:
    """Return a text with one of its words replaced."""
    words = text.split(" ")
    words[random.randrange(len(words))] = random.choice(WORDS)
    return " ".join(words)


def _move_line(text: str, random: Random) -> str:
    """Return a text with a line removed, repeated or moved."""
    lines = text.split("\n")
    line = lines.pop(random.randrange(len(lines)))
    for _ in range(random.randrange(3)):
        lines.insert(random.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def _damage_text(text: str, random: Random) -> str:
    for _ in range(random.choice([1, 1, 2, 3])):
        text = random.choice([_replace_word, _move_line])(text, random)
    return text


def list_places(table: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the keys that lead to every entry of nested tables and lists."""
    entries = table.items() if isinstance(table, dict) else enumerate(table)
    places = []
    for key, value in entries:
        places.append((*above, key))
        if isinstance(value, dict | list):
            places += list_places(value, (*above, key))
    return places


def damage_table(table: Any, random: Random, values: tuple[Any, ...] = VALUES) -> None:
    """Remove an entry of a table, add an unknown one, replace one or exchange two."""
    places = list_places(table)
    if not places:
        return
    *above, last = random.choice(places)
    owner: Any = table
    for key in above:
        owner = owner[key]
    kind = random.random()
    if kind < 0.15:
        del owner[last]
    elif kind < 0.2 and isinstance(owner, dict):
        owner["bogus"] = 1
    elif kind < 0.3 and isinstance(owner, dict):
        owner[last] = copy.deepcopy(owner[random.choice(list(owner))])
    elif kind < 0.4 and isinstance(owner, list):
        owner.append(copy.deepcopy(owner[last]))
    else:
        owner[last] = copy.deepcopy(random.choice(values))


def _write_toml(table: dict[str, Any], random: Random, path: Path) -> None:
    for _ in range(random.choice([1, 1, 2, 3])):
        damage_table(table, random)
    text = tomli_w.dumps(table)
    if random.random() < 0.2:
        text = _damage_text(text, random)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


@lru_cache
def _load_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _draw_toml(folder: Path, random: Random) -> dict[str, Any]:
    return copy.deepcopy(_load_toml(random.choice(sorted(folder.glob("*.toml")))))


# Names by which a file refers to another one
NAMES = ("file", "other", "./file", "../x", "/etc/passwd", "a\0b", "", "x" * 300, "pipe", "chain0")


def _write_neighbors(random: Random, folder: Path, key: str) -> None:
    """Write the files to which names lead: a pipe, and a long chain of files."""
    os.mkfifo(folder / "pipe.toml")
    length = random.choice([3, 60])
    for k in range(length):
        name = f"chain{(k + 1) % length}"
        entry = (
            f'parts = ["{name}", "{name}"]\nchange = 0.5' if key == "parts" else f'{key} = "{name}"'
        )
        (folder / f"chain{k}.toml").write_text(f"{entry}\nmass = 3\n" if key == "like" else entry)


def _write_body(random: Random, path: Path) -> None:
    table = _draw_toml(BODIES, random)
    if random.random() < 0.1:
        table = {"like": random.choice(NAMES), "mass": 10.0}
        _write_neighbors(random, path.parent, "like")
        (path.parent / "other.toml").write_text((BODIES / "dog.toml").read_text())
    _write_toml(table, random, path)


def _write_style(random: Random, path: Path) -> None:
    table = _draw_toml(STYLES if random.random() < 0.7 else QUADRUPED_STYLES, random)
    for key in ("base", "parts"):
        if key in table:  # other built-in styles lie beside it
            for style in STYLES.glob("*.toml"):
                (path.parent / style.name).write_bytes(style.read_bytes())
    if random.random() < 0.15:
        key = random.choice(["base", "parts"])
        _write_neighbors(random, path.parent, key)
        (path.parent / "other.toml").write_text((STYLES / "walk.toml").read_text())
        names = [random.choice(NAMES), random.choice(NAMES)]
        table = {"base": names[0]} if key == "base" else {"parts": names, "change": 0.5}
        table["set"] = {random.choice(["stride", "duty", "speed", "knee"]): random.choice(VALUES)}
    _write_toml(table, random, path)


def _write_clip(random: Random, path: Path) -> None:
    text = (SMALL_DATA / "walk.bvh").read_text()
    head, _, frames = text.partition("MOTION")
    kind = random.random()
    if kind < 0.4:
        head = _damage_text(head, random)
    elif kind < 0.5:
        depth = random.choice([10, 3000])
        head = (
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n" + "JOINT b\n{\n" * depth + "}\n" * depth + "}\n"
        )
    elif kind < 0.9:
        frames = _damage_text(frames, random)
    else:
        rows = frames.split("\n")
        kept = rows[3 : 3 + random.choice([0, 1, 2, 5, 40])]
        frames = "\n".join([rows[0], f"Frames: {len(kept)}", rows[2], *kept])
    path.write_text(f"{head}MOTION{frames}", encoding="utf-8", errors="surrogateescape")


# Elements by which MuJoCo would need much memory or time, or read other files
HOSTILE_ELEMENTS = (
    '<include file="/etc/passwd"/>',
    '<include file="../other.xml"/>',
    '<include file="pipe.xml"/>',
    '<include file="file.xml"/>',
    '<include file="file.urdf"/>',
    "<include/>",
    '<size memory="100T"/>',
    '<size memory="146T" njmax="2000000000" nconmax="2000000000"/>',
    '<size nuser_body="2000000000"/>',
    '<custom><numeric name="x" size="2000000000" data="1"/></custom>',
    '<replicate count="1000000000"><geom size="0.1"/></replicate>',
    '<replicate count="-5"><geom size="0.1"/></replicate>',
    '<replicate count="300" offset="1 0 0"><replicate count="300"><geom size="1"/></replicate>'
    "</replicate>",
    '<body><composite type="cable" count="100000 1 1"><geom size="0.1"/></composite></body>',
    '<body><flexcomp type="grid" count="1000 1000 1000" spacing="1 1 1" name="f"/></body>',
    '<asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>',
    '<asset><texture name="t" type="2d" builtin="flat" width="2000000000" height="20"/></asset>',
    '<asset><mesh name="m" file="/dev/zero"/></asset><worldbody><geom type="mesh" mesh="m"/>'
    "</worldbody>",
    '<asset><model name="m" file="/etc/passwd"/></asset>',
    '<extension><plugin plugin="mujoco.sdf.torus"/></extension>',
    '<keyframe><key qpos="1 2 3"/></keyframe>',
    '<keyframe><key name="home" qpos="nan"/></keyframe>',
    "<body/>" * 3000,
    "<body>" * 90 + "</body>" * 90,
    "<body>" * 40_000 + "</body>" * 40_000,
    '<compiler eulerseq="zzz" angle="radian"/>',
    '<compiler settotalmass="1e-30"/>',
    '<compiler boundmass="1e300" boundinertia="1e300"/>',
    '<default><geom density="1e300"/></default>',
)
DOCTYPE = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d SYSTEM "/etc/passwd">]>'
)


def _write_robot(random: Random, path: Path) -> None:
    os.mkfifo(path.parent / "pipe.xml")
    root = ElementTree.parse(SMALL_DATA / f"biped{path.suffix}").getroot()
    for _ in range(random.choice([0, 1, 1, 2, 4])):
        _damage_element(root, random)
    text = ElementTree.tostring(root, encoding="unicode")
    share = random.random()
    if share < 0.25:
        ends = [k for k in range(len(text)) if text[k] == ">" and text[k - 1 : k] != "/"]
        place = random.choice(ends) + 1
        text = text[:place] + random.choice(HOSTILE_ELEMENTS) + text[place:]
    elif share < 0.3:
        text = DOCTYPE + text.replace("biped", "&c;")
    elif share < 0.35:
        text = _damage_text(text, random)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def _damage_element(root: ElementTree.Element, random: Random) -> None:
    """Change an attribute, or remove, repeat or move an element."""
    element = random.choice(list(root.iter()))
    kind = random.random()
    if kind < 0.6 and element.attrib:
        key = random.choice(sorted(element.attrib))
        words = element.attrib[key].split(" ")
        safe = [w for w in WORDS if "\0" not in w and "\x1b" not in w]
        words[random.randrange(len(words))] = random.choice(safe)
        element.attrib[key] = " ".join(words)
        if random.random() < 0.2:
            del element.attrib[key]
    elif len(element):
        child = random.choice(list(element))
        if kind < 0.75:
            element.remove(child)
        elif kind < 0.9:
            element.append(copy.deepcopy(child))
        else:
            element.remove(child)
            random.choice(list(root.iter())).append(child)


@lru_cache
def make_small_motion() -> Motion:
    """Return a motion of two links, two contact points and eight frames, without planning."""
    n = 8
    rng = np.random.default_rng(0)
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (n, 2, 1))
    return Motion(
        fps=24.0,
        gravity=np.array([0.0, 0.0, -9.81]),
        link_names=("pelvis", "foot.L"),
        link_mass=np.array([40.0, 1.0]),
        link_inertia=np.tile(np.eye(3), (2, 1, 1)),
        link_position=rng.normal(size=(n, 2, 3)),
        link_orientation=upright,
        contact_names=("foot.L/heel", "foot.L/ball"),
        contact_limb=("foot.L", "foot.L"),
        contact_position=rng.normal(size=(n, 2, 3)),
        contact_active=np.ones((n, 2), bool),
        contact_force=rng.normal(size=(n, 2, 3)),
        push_force=np.zeros((n, 3)),
        push_point=np.zeros((n, 3)),
        push_moment=rng.normal(size=(n, 3)),
        planned_com=rng.normal(size=(n, 3)),
        goal_velocity=np.zeros((n, 3)),
        reference_orientation=upright,
        style_links=np.ones(2, bool),
        relaxed=np.zeros(n, bool),
        terrain_vertices=np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        terrain_triangles=np.array([[0, 1, 2]]),
        toe_orientation=np.tile([1.0, 0.0, 0.0, 0.0], (n, 1, 1)),
        link_origin=rng.normal(size=(n, 2, 3)),
        path=np.array([[0.0, 0.0], [1.0, 0.0]]),
        footsteps=(
            Footstep(0, 0.0, 0.1, heel_off=0.2, lift=0.3, position=np.zeros(3), rotation=np.eye(3)),
        ),
        solids=(Solid(0, np.zeros(3), np.ones(3), 0.1),),
    )


def _write_motion(random: Random, path: Path) -> None:
    save_motion(make_small_motion(), path.parent, compressed=random.random() < 0.5)
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    _damage_archive(path, arrays, random)
    if random.random() < 0.3:
        report = path.with_name("report.json")
        data = json.loads(report.read_text())
        damage_table(data, random)
        text = json.dumps(data)
        report.write_text(_damage_text(text, random) if random.random() < 0.4 else text)
        if random.random() < 0.1:
            report.unlink()
            os.mkfifo(report)


def _damage_archive(path: Path, arrays: dict[str, np.ndarray], random: Random) -> None:
    """Write an archive of arrays, of which some are damaged or missing."""
    raw: dict[str, bytes] = {}
    for _ in range(random.choice([0, 1, 1, 2])):
        key = random.choice(sorted(arrays))
        kind = random.randrange(4)
        if kind == 0:
            del arrays[key]
        elif kind == 1:
            raw[key] = _draw_npy(arrays[key], random)
        else:
            arrays[key] = _damage_array(arrays[key], random)
    _write_archive(path, arrays, raw, random)


def _damage_array(array: np.ndarray, random: Random) -> np.ndarray:
    """Return an array of another shape or type, or with a number replaced."""
    kind = random.randrange(8)
    if kind == 0 and array.ndim:
        return np.repeat(array, 2, axis=random.randrange(array.ndim))
    if kind == 1 and array.ndim:
        return array.swapaxes(0, random.randrange(array.ndim))[:1]
    if kind == 2 and array.dtype.kind in "fib":
        return array.astype(random.choice(["U9", "S9", "c16", "f4", "i8", "?", "M8[s]", "f2"]))
    if kind == 3:
        return np.asfortranarray(array)
    if kind == 4:
        return array[None]
    if kind == 5:
        return array[:0] if array.ndim else array.reshape(1)
    if kind == 6 and array.dtype.kind in "fi" and array.size:
        out = array.astype(float) if random.random() < 0.3 else array.copy()
        values = [0, -1, 9] if out.dtype.kind == "i" else [math.nan, math.inf, -1.0, 0.0, 1e300]
        out.flat[random.randrange(out.size)] = random.choice(values)
        return out
    return np.zeros(random.choice([(0,), (3, 3), (10**6,)]))


def _draw_npy(array: np.ndarray, random: Random) -> bytes:
    """Return .npy data whose header does not describe the array."""
    shape: Any = random.choice(
        [(2**60,), (20 * 10**9,), (-1,), (1e3,), (10**400,), (2**40, 2**40), (0, 2**62), ((),)]
    )
    kind = random.choice(["<f8", "|O", "<U2000000000", "<f8,<f8", "|V8", "<c16", "x", "<M8[s]"])
    header = random.choice(
        [
            repr({"descr": kind, "fortran_order": False, "shape": array.shape}),
            repr({"descr": "<f8", "fortran_order": False, "shape": shape}),
            repr({"descr": "<f8", "fortran_order": 3, "shape": array.shape}),
            repr({"descr": "<f8", "shape": array.shape}),
            "(" * 9000,
            "9" * 9000,
            "[" * 200_000,
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3L,), }",
        ]
    ).encode()
    version = random.choice([b"\x01\x00", b"\x02\x00", b"\x03\x00", b"\x09\x00"])
    length = (
        struct.pack("<H", min(len(header), 65535))
        if version == b"\x01\x00"
        else struct.pack("<I", random.choice([len(header), 2**32 - 1]))
    )
    return b"\x93NUMPY" + version + length + header + array.tobytes()


def _write_archive(
    path: Path, arrays: dict[str, np.ndarray], raw: dict[str, bytes], random: Random
) -> None:
    method = random.choice([zipfile.ZIP_DEFLATED] * 6 + [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    with zipfile.ZipFile(path, "w", method) as archive:
        for key, array in arrays.items():
            stream = io.BytesIO()
            np.save(stream, array, allow_pickle=True)
            archive.writestr(f"{key}.npy", raw.get(key, stream.getvalue()))
        if random.random() < 0.03:
            archive.writestr("notes.txt", "x")
        if random.random() < 0.02:
            with archive.open("bomb.npy", "w") as file:
                for _ in range(300):
                    file.write(bytes(1 << 20))
    data = bytearray(path.read_bytes())
    if random.random() < 0.1:  # a flag, a method or a size in the list of entries
        entry = data.find(b"PK\x01\x02")
        place = entry + random.choice([8, 10, 20, 24, 28, 42])
        data[place : place + 2] = random.choice([b"\x01\x00", b"\xff\xff", b"\x63\x00"])
        path.write_bytes(bytes(data))


@lru_cache
def make_small_network() -> LearnedNetwork:
    """Return a network of two layers."""
    rng = np.random.default_rng(0)
    sizes = ((6, 5), (4, 6))
    network = Network(
        tuple(rng.normal(size=size).astype(np.float32) for size in sizes),
        tuple(np.zeros(size[0], np.float32) for size in sizes),
    )
    scales = [Normalization(*np.ones((2, n), np.float32)) for n in (5, 4)]
    identity = NetworkIdentity(("hip", "knee"), (0.5, 0.5), "natural")
    about = NetworkAbout(
        body="humanoid",
        style="natural",
        identity=identity,
        slowest=0.5,
        fastest=3.0,
        clips=3,
        samples=100,
        epochs=2,
        seed=0,
        training_error=0.1,
        held_out_error=0.2,
        footfall="0.1.0",
    )
    return LearnedNetwork(TrainedNetwork(network, *scales), about)


def _write_network(random: Random, path: Path) -> None:
    save_network(make_small_network(), path)
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    if random.random() < 0.4:
        about = json.loads(str(arrays["about"]))
        damage_table(about, random)
        text = json.dumps(about)
        arrays["about"] = np.array(_damage_text(text, random) if random.random() < 0.3 else text)
    _damage_archive(path, arrays, random)


def _write_controller(random: Random, path: Path) -> None:
    table = json.loads((CONTROLLERS_FOLDER / "forward.json").read_text(encoding="utf-8"))
    for _ in range(random.choice([1, 1, 2, 3])):
        damage_table(table, random)
    text = json.dumps(table)
    if random.random() < 0.2:
        text = _damage_text(text, random)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def _write_task(random: Random, path: Path) -> None:
    table = copy.deepcopy(_load_toml(ROOT / "tests" / "data" / "earlier" / "task.toml"))
    _write_toml(table, random, path)


WRITERS: dict[str, Callable[[Random, Path], None]] = {
    "body": _write_body,
    "style": _write_style,
    "clip": _write_clip,
    "mjcf": _write_robot,
    "urdf": _write_robot,
    "motion": _write_motion,
    "task": _write_task,
    "network": _write_network,
    "controller": _write_controller,
}
SUFFIXES = {
    "body": ".toml",
    "style": ".toml",
    "clip": ".bvh",
    "mjcf": ".xml",
    "urdf": ".urdf",
    "motion": ".npz",
    "task": ".toml",
    "network": ".npz",
    "controller": ".json",
}

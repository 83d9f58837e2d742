"""The motion file, version 1: an .npz without pickled objects, and a report in the same folder."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError, WriteError
from ..files.arrays import ArrayArchive
from ..files.source import FileKind, show_path
from ..files.values import show_value
from .footstep import Footstep
from .moment_encoding import encode_push_moment, remove_push_moment
from .motion import Motion, Solid
from .report_file import read_report, report_to_data
from .schema import ARRAYS, OBJECT_ARRAYS, check_shapes

# Format name, keys that every file has, keys of strings, and fields stored separately
FORMAT = "footfall-motion-1"
STRING_KEYS = ("link_names", "contact_names", "contact_limb")
MOTION_FILE = FileKind("motion", 1 << 30, MotionError)
MAX_NUMBER = 1e15  # its squares and their sums are finite
MAX_FPS = 1e5  # [1/s], beyond any recording; larger numbers are damage, as the next
MAX_LEGS = 1000  # and arms
# Arrays that a file has together, if it has the first one
ARRAY_GROUPS = (
    ("footstep_leg", "footstep_times", "footstep_position", "footstep_rotation"),
    ("solid_link", "solid_ends", "solid_radius"),
    ("terrain_vertices", "terrain_triangles"),
    ("terrain_triangles", "terrain_vertices"),
    ("hurdle_depth", "hurdles"),
    ("surface_line", "surface_width"),
)
SEPARATE_FIELDS = ("footsteps", "solids", "report")
HEEL_DOWN = -1.0  # Value in the file for a `heel_raise` of None; raises are not negative


def save_motion(motion: Motion, folder: Path, compressed: bool = True) -> Path:
    """Write `motion.npz` and `report.json` into a folder and return the path of the motion.

    The folder is created if necessary.

    Args:
        compressed: whether to compress, which takes twenty times as long for a third of the size.

    Raises:
        WriteError: the files cannot be written.
    """
    arrays = {
        f.name: getattr(motion, f.name) for f in fields(Motion) if f.name not in SEPARATE_FIELDS
    }
    arrays = {
        k: np.array(v, str) if k in STRING_KEYS else np.asarray(v)
        for k, v in arrays.items()
        if v is not None
    }
    if motion.push_moment.any():
        arrays |= encode_push_moment(motion)
    footsteps = motion.footsteps
    arrays |= {
        "footstep_leg": np.array([f.leg for f in footsteps], np.int64),
        "footstep_times": np.array(
            [(f.strike, f.flat, f.heel_off, f.lift) for f in footsteps]
        ).reshape(-1, 4),
        "footstep_position": np.array([f.position for f in footsteps]).reshape(-1, 3),
        "footstep_rotation": np.array([f.rotation for f in footsteps]).reshape(-1, 3, 3),
        "footstep_kept": np.array([f.pinned for f in footsteps], bool),
        "footstep_grip": np.array([f.grip for f in footsteps], bool),
        "footstep_raised": np.array(
            [HEEL_DOWN if f.heel_raise is None else f.heel_raise for f in footsteps]
        ),
        "footstep_toes_first": np.array([f.toes_first for f in footsteps], bool),
        "solid_link": np.array([s.link for s in motion.solids], np.int64),
        "solid_ends": np.array([(s.start, s.end) for s in motion.solids]).reshape(-1, 2, 3),
        "solid_radius": np.array([s.radius for s in motion.solids]),
    }
    report = json.dumps(report_to_data(motion.report), indent=2) + "\n"
    path = Path(folder) / "motion.npz"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        (np.savez_compressed if compressed else np.savez)(path, format=FORMAT, **arrays)
        path.with_name("report.json").write_text(report, encoding="utf-8")
    except OSError as error:
        raise WriteError(
            f"The motion cannot be written to {path.parent}: {error.strerror or error}. Free space "
            "on its disk, or choose another folder."
        ) from error
    return path


def load_motion(path: Path) -> Motion:
    """Return the motion of a file, with the report in the same folder if there is one.

    Raises:
        MotionError: the file is missing, damaged or incomplete, its arrays do not match each other,
            or it is not a motion file of version 1.
    """
    path = Path(path)
    arrays = _load_arrays(path)
    _check_values(arrays, path)
    arrays |= remove_push_moment(arrays)
    n, link_count = arrays["link_position"].shape[:2]
    defaults = {
        "reference_orientation": arrays["link_orientation"],
        "style_links": np.zeros(link_count, bool),
        "terrain_vertices": None,
        "terrain_triangles": None,
        "toe_orientation": np.zeros((n, 0, 4)),
        "link_origin": arrays["link_position"],
        "path": np.zeros((0, 2)),
        "push_moment": np.zeros((n, 3)),
        "rungs": np.zeros((0, 2, 3)),
        "hurdles": np.zeros((0, 2, 3)),
        "hurdle_depth": np.zeros(0),
        "surface_line": None,
        "surface_width": None,
    }
    values: dict[str, Any] = {
        f.name: arrays.get(f.name, defaults.get(f.name))
        for f in fields(Motion)
        if f.name not in SEPARATE_FIELDS
    }
    values |= {key: tuple(str(s) for s in arrays[key]) for key in STRING_KEYS}
    values["fps"] = float(arrays["fps"])
    if values["surface_width"] is not None:
        values["surface_width"] = float(values["surface_width"])
    return Motion(
        **values,
        footsteps=_read_footsteps(arrays),
        solids=_read_solids(arrays),
        report=read_report(path.with_name("report.json")),
    )


def _load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a motion file, after checking that it is complete."""
    with ArrayArchive(path, MOTION_FILE) as archive:
        headers = archive.headers
        file_format = headers.get("format")
        is_text = file_format is not None and file_format.shape == () and file_format.kind == "U"
        version = str(archive.read("format")) if is_text else "unknown"
        if version != FORMAT:
            raise MotionError(
                f"{show_path(path)} is of the format {show_value(version)}; this version reads "
                f"{FORMAT!r}."
            )
        schemas = ARRAYS | OBJECT_ARRAYS
        required = [key for key, schema in schemas.items() if schema.is_required]
        required += [key for group in ARRAY_GROUPS if group[0] in headers for key in group]
        missing = [key for key in required if key not in headers]
        if missing:
            raise MotionError(
                f"{show_path(path)} is not complete; these arrays are missing: "
                f"{', '.join(missing)}."
            )
        try:
            check_shapes({key: header.shape for key, header in headers.items()}, schemas)
        except MotionError as error:
            raise MotionError(f"{show_path(path)}: {error}") from error
        for key, schema in schemas.items():
            if key in headers and headers[key].kind not in schema.elements.value:
                raise MotionError(
                    f"The elements of {key} in {show_path(path)} must be "
                    f"{schema.elements.name.lower()}."
                )
        return {key: archive.read(key) for key in schemas if key in headers}


def _check_values(arrays: dict[str, NDArray[Any]], path: Path) -> None:
    """Check that numbers are finite and that indices exist.

    Raises:
        MotionError: they are not.
    """
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not (np.abs(array) <= MAX_NUMBER).all():
            raise MotionError(
                f"The numbers of {key} in {show_path(path)} must be finite and at most "
                f"{MAX_NUMBER:g}."
            )
    if not 0 < arrays["fps"] <= MAX_FPS:
        raise MotionError(
            f"The frame rate in {show_path(path)} is {float(arrays['fps']):g}; it must be above 0 "
            f"and at most {MAX_FPS:g}."
        )
    if not arrays["link_position"].shape[0] or not arrays["link_mass"].sum() > 0:
        raise MotionError(f"The motion in {show_path(path)} has no frames, or a body without mass.")
    vertex_count = len(arrays.get("terrain_vertices", ()))
    counts = {
        "terrain_triangles": vertex_count,
        "solid_link": arrays["link_mass"].size,
        "footstep_leg": MAX_LEGS,
    }
    for key, count in counts.items():
        indices = arrays.get(key, np.zeros(0, np.int64))
        if indices.size and not (indices.min() >= 0 and indices.max() < count):
            raise MotionError(
                f"The indices of {key} in {show_path(path)} must be from 0 to {count - 1}."
            )


def _read_footsteps(arrays: dict[str, NDArray[Any]]) -> tuple[Footstep, ...]:
    if "footstep_leg" not in arrays:
        return ()
    no_flags = np.zeros(len(arrays["footstep_leg"]), bool)
    rows = zip(
        arrays["footstep_leg"],
        arrays["footstep_times"],
        arrays["footstep_position"],
        arrays["footstep_rotation"],
        arrays.get("footstep_kept", no_flags),
        arrays.get("footstep_grip", no_flags),
        arrays.get("footstep_raised", np.full(len(no_flags), HEEL_DOWN)),
        arrays.get("footstep_toes_first", no_flags),
        strict=True,
    )
    return tuple(
        Footstep(
            int(leg),
            float(strike),
            float(flat),
            heel_off=float(heel_off),
            lift=float(lift),
            position=position,
            rotation=rotation,
            pinned=bool(pinned),
            grip=bool(grip),
            heel_raise=None if heel_raise < 0 else float(heel_raise),
            toes_first=bool(toes_first),
        )
        for leg, (
            strike,
            flat,
            heel_off,
            lift,
        ), position, rotation, pinned, grip, heel_raise, toes_first in rows
    )


def _read_solids(arrays: dict[str, NDArray[Any]]) -> tuple[Solid, ...]:
    if "solid_link" not in arrays:
        return ()
    rows = zip(arrays["solid_link"], arrays["solid_ends"], arrays["solid_radius"], strict=True)
    return tuple(Solid(int(link), ends[0], ends[1], float(radius)) for link, ends, radius in rows)

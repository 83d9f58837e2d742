"""The motion file, version 1: an .npz without pickled objects, and a report in the same folder."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .footstep import Footstep
from .moment_encoding import encode_push_moment, remove_push_moment
from .motion import Motion, Report, Solid
from .violations import ConstraintViolation

# Format name, keys that every file has, keys of strings, and fields stored separately
FORMAT = "footfall-motion-1"
REQUIRED_KEYS = (
    "fps",
    "gravity",
    "link_names",
    "link_mass",
    "link_inertia",
    "link_position",
    "link_orientation",
    "contact_names",
    "contact_limb",
    "contact_position",
    "contact_active",
    "contact_force",
    "push_force",
    "push_point",
    "planned_com",
    "goal_velocity",
    "relaxed",
)
STRING_KEYS = ("link_names", "contact_names", "contact_limb")
SEPARATE_FIELDS = ("footsteps", "solids", "report")
HEEL_DOWN = -1.0  # Value in the file for a `heel_raise` of None


def save_motion(motion: Motion, folder: Path, compressed: bool = True) -> Path:
    """Write `motion.npz` and `report.json` into a folder and return the path of the motion.

    The folder is created if necessary.

    Args:
        compressed: whether to compress, which takes twenty times as long for a third of the size.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
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
    path = folder / "motion.npz"
    (np.savez_compressed if compressed else np.savez)(path, format=FORMAT, **arrays)
    (folder / "report.json").write_text(
        json.dumps(_report_to_data(motion.report), indent=2) + "\n", encoding="utf-8"
    )
    return path


def load_motion(path: Path) -> Motion:
    """Return the motion of a file, with the report in the same folder if there is one.

    Raises:
        MotionError: the file is missing, incomplete, or not a motion file of version 1.
    """
    arrays = _load_arrays(Path(path))
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
    }
    values: dict[str, Any] = {
        f.name: arrays.get(f.name, defaults.get(f.name))
        for f in fields(Motion)
        if f.name not in SEPARATE_FIELDS
    }
    values |= {key: tuple(str(s) for s in arrays[key]) for key in STRING_KEYS}
    values["fps"] = float(arrays["fps"])
    return Motion(
        **values,
        footsteps=_read_footsteps(arrays),
        solids=_read_solids(arrays),
        report=_read_report(Path(path).with_name("report.json")),
    )


def _load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a motion file, and check that it is complete."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except FileNotFoundError as error:
        raise MotionError(f"There is no motion file {path}.") from error
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        raise MotionError(
            f"{path} is not a motion file: it cannot be read as an .npz of plain arrays ({error})."
        ) from error
    if str(arrays.get("format", "")) != FORMAT:
        raise MotionError(
            f"{path} is of the format {str(arrays.get('format', 'unknown'))!r}; this version "
            f"reads {FORMAT!r}."
        )
    missing = [key for key in REQUIRED_KEYS if key not in arrays]
    if missing:
        raise MotionError(
            f"{path} is not complete; these arrays are missing: {', '.join(missing)}."
        )
    return arrays


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


def _report_to_data(report: Report) -> dict[str, Any]:
    """Return the entries of a report file, in which the key of violations is `eased`."""
    return {
        "eased" if name == "violations" else name: value for name, value in asdict(report).items()
    }


def _read_report(path: Path) -> Report:
    if not path.exists():
        return Report("unknown", "unknown", "unknown", seed=0, clip_seconds=0.0, seconds={})
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        violations = tuple(ConstraintViolation(**e) for e in data.get("eased", ()))
        entries = {name: value for name, value in data.items() if name != "eased"}
        return Report(
            **{**entries, "notes": tuple(data.get("notes", ())), "violations": violations}
        )
    except (json.JSONDecodeError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise MotionError(f"{path} is not a report of a motion: {error}.") from error

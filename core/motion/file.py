"""The motion file, version 1: one .npz without pickled objects, and a report beside it."""
from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MotionError
from .easing import Easing
from .footstep import Footstep
from .moment_encoding import with_couple, without_couple
from .motion import Motion, Report, Solid

FORMAT = "footfall-motion-1"
NEEDED = ("fps", "gravity", "link_names", "link_mass", "link_inertia", "link_position", "link_orientation", "contact_names",
          "contact_limb", "contact_position", "contact_active", "contact_force", "push_force", "push_point", "planned_com",
          "goal_velocity", "relaxed")
TUPLES = ("link_names", "contact_names", "contact_limb")
APART = ("footsteps", "solids", "report")
WHOLE = -1.0          # stands in the file for a footstep's heel that comes down


def save_motion(motion: Motion, folder: Path, packed: bool = True) -> Path:
    """Write `motion.npz` and `report.json` into a folder, which is made if need be; returns the motion's path.

    Args:
        packed: compressed, which takes twenty times as long and a third of the room.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {f.name: getattr(motion, f.name) for f in fields(Motion) if f.name not in APART}
    arrays = {k: np.array(v, str) if k in TUPLES else np.asarray(v) for k, v in arrays.items() if v is not None}
    if motion.push_moment.any():
        arrays |= with_couple(motion)
    steps = motion.footsteps
    arrays |= {"footstep_leg": np.array([f.leg for f in steps], np.int64),
               "footstep_times": np.array([(f.strike, f.flat, f.heel_off, f.lift) for f in steps]).reshape(-1, 4),
               "footstep_position": np.array([f.position for f in steps]).reshape(-1, 3),
               "footstep_rotation": np.array([f.rotation for f in steps]).reshape(-1, 3, 3),
               "footstep_kept": np.array([f.kept for f in steps], bool), "footstep_grip": np.array([f.grip for f in steps], bool),
               "footstep_raised": np.array([WHOLE if f.raised is None else f.raised for f in steps]),
               "footstep_toes_first": np.array([f.toes_first for f in steps], bool),
               "solid_link": np.array([s.link for s in motion.solids], np.int64),
               "solid_ends": np.array([(s.start, s.end) for s in motion.solids]).reshape(-1, 2, 3),
               "solid_radius": np.array([s.radius for s in motion.solids])}
    path = folder / "motion.npz"
    (np.savez_compressed if packed else np.savez)(path, format=FORMAT, **arrays)
    (folder / "report.json").write_text(json.dumps(asdict(motion.report), indent=2) + "\n", encoding="utf-8")
    return path


def load_motion(path: Path) -> Motion:
    """Read a motion file and, where it lies beside it, its report.

    Raises:
        MotionError: the file is missing, no motion file of version 1, or incomplete.
    """
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            d = {key: file[key] for key in file.files}
    except FileNotFoundError as error:
        raise MotionError(f"There is no motion file {path}.") from error
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        raise MotionError(f"{path} is not a motion file: it cannot be read as an .npz of plain arrays ({error}).") from error
    if str(d.get("format", "")) != FORMAT:
        raise MotionError(f"{path} is of the format {str(d.get('format', 'unknown'))!r}; this version reads {FORMAT!r}.")
    missing = [key for key in NEEDED if key not in d]
    if missing:
        raise MotionError(f"{path} is not complete: it lacks {', '.join(missing)}.")
    d |= without_couple(d)
    n, links = d["link_position"].shape[:2]
    defaults = {"reference_orientation": d["link_orientation"], "style_links": np.zeros(links, bool), "terrain_vertices": None,
                "terrain_triangles": None, "toe_orientation": np.zeros((n, 0, 4)), "link_origin": d["link_position"],
                "path": np.zeros((0, 2)), "push_moment": np.zeros((n, 3)), "rungs": np.zeros((0, 2, 3)),
                "hurdles": np.zeros((0, 2, 3)), "hurdle_depth": np.zeros(0)}
    values: dict[str, Any] = {f.name: d.get(f.name, defaults.get(f.name)) for f in fields(Motion) if f.name not in APART}
    values |= {key: tuple(str(s) for s in d[key]) for key in TUPLES}
    values["fps"] = float(d["fps"])
    return Motion(**values, footsteps=_footsteps(d), solids=_solids(d), report=_report(path.with_name("report.json")))


def _footsteps(d: dict[str, NDArray[Any]]) -> tuple[Footstep, ...]:
    if "footstep_leg" not in d:
        return ()
    neither = np.zeros(len(d["footstep_leg"]), bool)
    rows = zip(d["footstep_leg"], d["footstep_times"], d["footstep_position"], d["footstep_rotation"],
               d.get("footstep_kept", neither), d.get("footstep_grip", neither),
               d.get("footstep_raised", np.full(len(neither), WHOLE)), d.get("footstep_toes_first", neither), strict=True)
    return tuple(Footstep(int(leg), float(strike), float(flat), float(heel_off), float(lift), place, turn, bool(kept), bool(grip),
                          None if raised < 0 else float(raised), bool(toes_first))
                 for leg, (strike, flat, heel_off, lift), place, turn, kept, grip, raised, toes_first in rows)


def _solids(d: dict[str, NDArray[Any]]) -> tuple[Solid, ...]:
    if "solid_link" not in d:
        return ()
    rows = zip(d["solid_link"], d["solid_ends"], d["solid_radius"], strict=True)
    return tuple(Solid(int(link), ends[0], ends[1], float(radius)) for link, ends, radius in rows)


def _report(path: Path) -> Report:
    if not path.exists():
        return Report("unknown", "unknown", "unknown", 0, 0.0, {})
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        eased = tuple(Easing(**e) for e in data.get("eased", ()))
        return Report(**{**data, "notes": tuple(data.get("notes", ())), "eased": eased})
    except (json.JSONDecodeError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise MotionError(f"{path} is not a report of a motion: {error}.") from error

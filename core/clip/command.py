"""Command that describes a style or a clip, and saves it."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..errors import TaskError
from .lookup import analyze_clip_file, find_quadruped_style, find_style
from .recording.bvh import read_bvh
from .recording.corrections import NO_CORRECTIONS, ClipCorrections
from .recording.gait_analysis import GaitAnalysis
from .recording.picture import save_clip_picture
from .recording.quadruped.gait_analysis import QuadrupedGaitAnalysis
from .recording.to_style import build_clip_style
from .style.quadruped_style import QuadrupedStyle, is_quadruped_file
from .style.style import Style
from .style.style_file import save_style

Commands = Any  # Type of `ArgumentParser.add_subparsers`, which is private in argparse.


def add_style_command(commands: Commands) -> None:
    """Add the command that describes a style or a clip."""
    style_parser = commands.add_parser(
        "style", help="describe a style, or the gait of a clip; save it as a style"
    )
    style_parser.add_argument(
        "style",
        metavar="STYLE",
        help="a built-in style, a style's file (.toml), or a clip that shows it (.bvh)",
    )
    style_parser.add_argument(
        "--plot",
        type=Path,
        metavar="PICTURE.png",
        help="draw the clip's stride, its contacts and its curves",
    )
    style_parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE.toml",
        help="write the complete style to a file",
    )
    _add_correction_options(style_parser)
    style_parser.set_defaults(do=_show_style)


def _add_correction_options(style_parser: argparse.ArgumentParser) -> None:
    correction_group = style_parser.add_argument_group(
        "corrections of what is recognized in a clip of a person"
    )
    correction_group.add_argument("--up", choices=("x", "y", "z"), help="vertical axis of the file")
    correction_group.add_argument(
        "--from", dest="begin", type=float, metavar="S", help="start of the part to read in s"
    )
    correction_group.add_argument(
        "--to", dest="end", type=float, metavar="S", help="end of the part to read in s"
    )
    correction_group.add_argument("--gait", choices=("walk", "run"), help="gait of the clip")
    correction_group.add_argument(
        "--exchange-sides",
        action="store_true",
        help="exchange left and right, so that the body faces the other direction",
    )
    correction_group.add_argument(
        "--feet", nargs=2, metavar="JOINT", help="joints at the ankles of both feet"
    )


def _show_style(options: argparse.Namespace) -> None:
    path = Path(options.style)
    corrections = ClipCorrections(
        options.up,
        options.begin,
        options.end,
        gait=options.gait,
        exchanges_sides=options.exchange_sides,
        feet=(options.feet[0], options.feet[1]) if options.feet else None,
    )
    is_clip = path.suffix.lower() == ".bvh"
    if corrections != NO_CORRECTIONS and not is_clip:
        raise TaskError(f"Only clips (.bvh) can be corrected; {options.style} is none.")
    clip = analyze_clip_file(path, corrections) if is_clip else None
    style: Style | QuadrupedStyle
    if isinstance(clip, QuadrupedGaitAnalysis) or is_quadruped_file(path):
        style = find_quadruped_style(path)
    elif clip is not None:
        style = build_clip_style(clip)
    else:
        style = find_style(options.style)
    if clip is not None:
        _print_clip_summary(path, clip)
        if options.plot:
            _save_picture(path, clip, options.plot, corrections)
    elif options.plot:
        raise TaskError(f"Only clips (.bvh) can be drawn; {options.style} is none.")
    else:
        print(f"{style.name}: {style.about or 'a style'}")
        print(
            f"  natural speed {style.preferred_speed:.3g} sqrt(g l), {_describe_speed_range(style)}"
        )
        for source in style.sources:
            print(f"  {source}")
    if options.save:
        print(f"{save_style(style, options.save)}: the style {style.name}")


def _describe_speed_range(style: Style | QuadrupedStyle) -> str:
    if isinstance(style, QuadrupedStyle):
        return f"on four legs, in {'a ' + style.gait if style.gait else 'any gait'}"
    return (
        f"with cycles at {len(style.cycles)} speeds from {style.cycles[0].speed:.3g} to "
        f"{style.cycles[-1].speed:.3g}"
    )


def _save_picture(
    path: Path,
    analysis: GaitAnalysis | QuadrupedGaitAnalysis,
    picture_path: Path,
    corrections: ClipCorrections,
) -> None:
    """Draw a clip of a person.

    Raises:
        TaskError: the clip shows an animal.
    """
    if isinstance(analysis, QuadrupedGaitAnalysis):
        raise TaskError(
            f"Only clips of people can be drawn; {path.name} shows a body on four legs. Leave "
            "--plot out."
        )
    save_clip_picture(read_bvh(path), analysis, picture_path, corrections)


def _print_clip_summary(path: Path, analysis: GaitAnalysis | QuadrupedGaitAnalysis) -> None:
    recording = read_bvh(path)
    leg_height, leg_label = (
        (analysis.hip_height, "four legs")
        if isinstance(analysis, QuadrupedGaitAnalysis)
        else (analysis.leg_length, "legs")
    )
    print(
        f"{analysis.name}: a {analysis.gait} at {analysis.speed:.2f} m/s, on {leg_label} of "
        f"{leg_height:.2f} m"
    )
    end_frame = round(analysis.end * recording.fps)
    print(
        f"  most periodic stride from {analysis.begin:.2f} to {analysis.end:.2f} s, frames "
        f"{round(analysis.begin * recording.fps)} to {end_frame} of {recording.frames}"
        f"{', which repeat' if end_frame > recording.frames else ''}; "
        f"{len(analysis.contacts)} contacts in all"
    )
    for note in (
        *(
            f"doubtful: {doubt}"
            for doubt in (analysis.doubts if isinstance(analysis, GaitAnalysis) else ())
        ),
        *analysis.notes,
        *(analysis.footfall_strips if isinstance(analysis, QuadrupedGaitAnalysis) else ()),
    ):
        print(f"  {note}")
    for name, value in asdict(replace(analysis, contacts=(), notes=())).items():
        if isinstance(value, float):
            print(f"  {name:18} {value:.4g}")

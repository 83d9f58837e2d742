"""Report on what became of a character, which its object keeps for the panel."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache

import bpy

ReportFunction = Callable[[set[str], str], None]  # shows a message, as `report` of operators

LEVELS = ("INFO", "WARNING", "ERROR")  # of lines, as operators report them
# Times in the texts of the core: "at 0.83 s", and "from 0.83 to 1.20 s" or "from 0.83 s on"
TIME_PATTERN = re.compile(
    r"\b(?P<word>at|from) (?P<begin>\d+(?:\.\d+)?)(?: to (?P<end>\d+(?:\.\d+)?))? s\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ReportLine:
    """One line of a report.

    Args:
        text: what happened, and what to change.
        level: "INFO" for a remark, "WARNING" for a problem, "ERROR" for what prevented the motion.
        frame: frame of the scene at which it happens; None without one.
    """

    text: str
    level: str = "WARNING"
    frame: int | None = None


@dataclass(frozen=True)
class CharacterReport:
    """What became of a character.

    Args:
        summary: result in one line.
        lines: problems and remarks, in order of importance.
    """

    summary: str
    lines: tuple[ReportLine, ...] = ()

    @property
    def problem_count(self) -> int:
        """Number of lines that are no mere remarks."""
        return sum(line.level != "INFO" for line in self.lines)

    @property
    def level(self) -> str:
        """The highest level of its lines."""
        return max((line.level for line in self.lines), key=LEVELS.index, default="INFO")


@dataclass(frozen=True)
class FrameRange:
    """How times of a motion are frames of the scene.

    Args:
        first_frame: frame at which the motion begins.
        fps: frames per second.
    """

    first_frame: int
    fps: float

    def frame_at(self, time: float) -> int:
        """Return the frame nearest to a time of the motion [s]."""
        return self.first_frame + round(time * self.fps)


def make_lines(
    texts: Iterable[str], level: str = "WARNING", frames: FrameRange | None = None
) -> list[ReportLine]:
    """Return lines of a report, with frames in place of the motion's times."""
    return [_make_line(text, level, frames) for text in texts]


def _make_line(text: str, level: str, frames: FrameRange | None) -> ReportLine:
    """Return a line about the frame of the first time in a text."""
    match = TIME_PATTERN.search(text)
    if frames is None or match is None:
        return ReportLine(text, level)

    def name_frames(times: re.Match[str]) -> str:
        assert frames is not None
        end = f" to {frames.frame_at(float(times['end']))}" if times["end"] else ""
        return f"{times['word']} frame {frames.frame_at(float(times['begin']))}{end}"

    frame = frames.frame_at(float(match["begin"]))
    return ReportLine(TIME_PATTERN.sub(name_frames, text), level, frame)


def store_report(armature: bpy.types.Object, report: CharacterReport | None) -> None:
    """Let an armature keep a report in place of the previous one; None removes it."""
    armature.footfall_baked.report = "" if report is None else json.dumps(asdict(report))


def read_report(armature: bpy.types.Object) -> CharacterReport | None:
    """Return the report that an armature keeps; None without one."""
    return _parse_report(armature.footfall_baked.report)


@lru_cache(maxsize=64)
def _parse_report(text: str) -> CharacterReport | None:
    """Return a report from its text; None if it is empty or of another version."""
    try:
        data = json.loads(text)
        lines = tuple(ReportLine(**line) for line in data["lines"])
        return CharacterReport(str(data["summary"]), lines)
    except (ValueError, KeyError, TypeError):
        return None


def show_report(report: ReportFunction, character_report: CharacterReport) -> None:
    """Report on a character: in full to a script, else in a line that points to the panel."""
    if _is_script():
        report({"INFO"}, character_report.summary)
        for line in character_report.lines:
            report({line.level}, line.text)
        return
    count = character_report.problem_count
    if not count:
        report({"INFO"}, character_report.summary)
        return
    name = character_report.summary.partition(":")[0]
    problems = "1 problem is" if count == 1 else f"{count} problems are"
    report({character_report.level}, f"{name}: {problems} listed in the panel Motion")


def _is_script() -> bool:
    """Return whether there is no window, so that messages are all that is seen."""
    return bool(bpy.app.background)

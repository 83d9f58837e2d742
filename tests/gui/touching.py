"""Stops at which footsteps are dragged, a bake is reverted and a character is driven."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from session import Session

STEP = 5  # Number of the footstep that is dragged, counted from 1
ASIDE = 40  # Distance that it is dragged to the right [px]
# Largest change of the offset of a foot from its footstep by the drag [m]
FOOT_TOLERANCE = 0.02
DRIVE_DURATION = 5.0  # Time during which the arrow key is held [s]
# Shortest motion that is kept of it, since the planner is slower on a busy machine [s]
MIN_RECORDED = 3.0


def show_footsteps(s: Session) -> None:
    """Show Footsteps adds the planned footsteps as objects on the ground."""
    before = s.read_state()
    s.press("footfall.show_steps")
    s.wait_until(lambda: s.evaluate("len(list_footsteps())") > 3, "Footsteps")
    assert s.read_state()["actions"] == before["actions"]
    s.execute("bpy.context.scene.frame_set(16)")


def drag_footstep(s: Session) -> None:
    """A footstep is dragged with G; the keys of the same action change and the foot follows."""
    s.notes["before drag"] = s.read_state()
    before = s.evaluate(f"describe_footstep({STEP})")
    offset = s.evaluate(f"measure_foot_offset({STEP})")
    s.execute(f"aim_view(describe_footstep({STEP})['position'], 4.0)")
    s.execute("redraw()")
    times = drag(s, STEP, ASIDE)
    s.save_picture("solved")
    step = s.evaluate(f"describe_footstep({STEP})")
    after = s.read_state()
    moved = math.dist(step["position"], before["position"])
    assert moved > 0.1, f"the footstep moved by only {moved:.3f} m"
    assert step["kept"], "the dragged footstep is not pinned"
    assert set(after["actions"]) == set(s.notes["before drag"]["actions"]), (
        "another action was made"
    )
    assert after["actions"] != s.notes["before drag"]["actions"], "the motion did not follow"
    change = math.dist(s.evaluate(f"measure_foot_offset({STEP})"), offset)
    assert change < FOOT_TOLERANCE, (
        f"the foot is {change:.3f} m from its place on the dragged footstep"
    )
    print(f"  dragged by {moved:.2f} m; new keys {times.clock:.2f} s after its release", flush=True)
    s.notes["after drag"] = after


def undo_drag(s: Session) -> None:
    """Undo restores the footstep and the keys."""
    s.display.key("ctrl+z")
    s.wait_until(lambda: s.read_state() == s.notes["before drag"], "The motion before the drag")
    assert not s.evaluate(f"describe_footstep({STEP})")["kept"]


def redo_drag(s: Session) -> None:
    """Redo restores the drag."""
    s.display.key("ctrl+shift+z")
    s.wait_until(
        lambda: s.read_state() == s.notes["after drag"], "The motion that followed the drag"
    )
    assert s.evaluate(f"describe_footstep({STEP})")["kept"]


def hide_footsteps(s: Session) -> None:
    """Hide Footsteps removes the objects; the motion keeps the dragged footstep."""
    s.press("footfall.hide_steps")
    s.wait_until(lambda: s.evaluate("len(list_footsteps())") == 0, "No footsteps")
    assert s.read_state()["actions"] == s.notes["after drag"]["actions"]
    s.execute("aim_view((0.6, -1.8, 0.7), 8.0)")


@dataclass(frozen=True)
class KeyTimes:
    """Time from the release of a footstep to its new keys."""

    clock: float  # elapsed time [s]
    processor: float  # time on the processor [s]


def drag(s: Session, number: int, right: int) -> KeyTimes:
    """Drag a footstep with G to the right and wait for the new keys.

    Args:
        right: distance of the drag [px].
    """
    x, y = s.evaluate(f"describe_footstep({number})")["spot"]
    s.display.click(x, y)
    s.wait_until(
        lambda: s.evaluate("bpy.context.object.footfall_step.number") == number,
        f"Footstep {number}, by a click at {x}, {y},",
        5,
    )
    s.execute("watching.watch_drag(find_rig())")
    s.display.key("g")
    s.display.move(x + right // 2, y)
    s.display.move(x + right, y)
    s.save_picture("dragged")
    s.display.click(x + right, y)
    clock, processor = s.wait_until(
        lambda: s.evaluate("watching.read_drag_times()"), "New keys", 20
    )
    return KeyTimes(clock, processor)


def revert(s: Session) -> None:
    """Revert Last Bake assigns the previous action and keeps the newer one in the file."""
    before = s.read_state()
    s.press("footfall.revert_bake")
    s.wait_until(lambda: s.read_state()["action"] != before["action"], "Another action")
    after = s.read_state()
    assert after["action"] == s.notes["first"], after["action"]
    assert after["actions"] == before["actions"], "an action was changed or lost"


def drive(s: Session) -> None:
    """The arrow key drives the character; Enter stores the motion in a new action."""
    before = s.read_state()
    start = s.evaluate("locate_hips(bpy.context.scene.frame_current)")
    s.press("footfall.drive")
    s.wait_until(lambda: "arrow key" in _status(s), "The planner of the drive", 30)
    s.save_picture("ready")
    s.display.hold("Up", DRIVE_DURATION / 2, lambda: s.save_picture("driven"), DRIVE_DURATION / 2)
    s.display.key("Return")
    after = s.wait_until(
        lambda: (state := s.read_state())["action"] != before["action"] and state,
        "The driven motion",
    )
    assert {name: after["actions"][name] for name in before["actions"]} == before["actions"], (
        "another action was changed"
    )
    first, last = s.evaluate("list(find_rig().animation_data.action.frame_range)")
    seconds = (last - first + 1) / s.evaluate("bpy.context.scene.render.fps")
    distance = math.dist(s.evaluate(f"locate_hips({last:.0f})")[:2], start[:2])
    print(f"  driven {seconds:.1f} s, {distance:.1f} m", flush=True)
    assert seconds > MIN_RECORDED, f"{seconds:.1f} s of {DRIVE_DURATION:.0f} s were recorded"
    assert distance > 0.5 * seconds, f"the character moved {distance:.1f} m in {seconds:.1f} s"
    s.execute("bpy.context.scene.frame_set(bpy.context.scene.frame_start + 30)")


def _status(s: Session) -> Any:
    return s.evaluate(
        "next((m.describe_status() for m in __import__(MODULE + '.addon.drive.modal', "
        "fromlist=['_active_modes'])._active_modes), '')"
    )

"""The stops at which footsteps are touched, a bake is taken back and a
character is driven by hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from session import Session

STEP = 5  # that is dragged, counted from 1
ASIDE = 40  # pixels that it is dragged to the right
CLOSE = 0.02  # m by which a foot may stand on a footstep otherwise than before
DRIVEN = 5.0  # s with the arrow key held
REAL = 3.0  # s of them that are kept at least, whatever the planner waits for on a busy machine


def show_footsteps(s: Session) -> None:
    """The planned footsteps are objects on the ground."""
    before = s.state()
    s.press("footfall.show_steps")
    s.until(lambda: s.tell("len(steps())") > 3, "Footsteps")
    assert s.state()["actions"] == before["actions"]
    s.do("bpy.context.scene.frame_set(16)")


def drag_footstep(s: Session) -> None:
    """A footstep is clicked, dragged with G and let go: the foot stands on it, in the same action,
    and no other foot has moved.
    """
    s.kept["stepped"] = s.state()
    before = s.tell(f"step_at({STEP})")
    stood = s.tell(f"stands_off({STEP})")
    s.do(f"look_at(step_at({STEP})['place'], 4.0)")
    s.do("draw()")
    took = drag(s, STEP, ASIDE)
    s.shot("solved")
    step = s.tell(f"step_at({STEP})")
    now = s.state()
    moved = math.dist(step["place"], before["place"])
    assert moved > 0.1, f"the footstep moved by {moved:.3f} m only"
    assert step["kept"], "what was dragged is not pinned"
    assert set(now["actions"]) == set(s.kept["stepped"]["actions"]), "another action was made"
    assert now["actions"] != s.kept["stepped"]["actions"], "the motion did not follow"
    off = math.dist(s.tell(f"stands_off({STEP})"), stood)
    assert off < CLOSE, f"the foot is {off:.3f} m off the footstep that was dragged"
    print(f"  dragged by {moved:.2f} m; new keys {took[0]:.2f} s after it was let go", flush=True)
    s.kept["dragged"] = now


def undo_drag(s: Session) -> None:
    """One step back takes the footstep and its keys."""
    s.display.key("ctrl+z")
    s.until(lambda: s.state() == s.kept["stepped"], "The motion before the drag")
    assert not s.tell(f"step_at({STEP})")["kept"]


def redo_drag(s: Session) -> None:
    """And forth."""
    s.display.key("ctrl+shift+z")
    s.until(lambda: s.state() == s.kept["dragged"], "The motion that followed the drag")
    assert s.tell(f"step_at({STEP})")["kept"]


def hide_footsteps(s: Session) -> None:
    """They are gone, and the motion keeps the one that was dragged."""
    s.press("footfall.hide_steps")
    s.until(lambda: s.tell("len(steps())") == 0, "No footsteps")
    assert s.state()["actions"] == s.kept["dragged"]["actions"]
    s.do("look_at((0.6, -1.8, 0.7), 8.0)")


def drag(s: Session, number: int, right: int) -> tuple[float, float]:
    """Click a footstep, press G, move the mouse, click; wait for the new keys.

    Returns:
        The seconds that they took from letting go, on the clock and on the processor.
    """
    x, y = s.tell(f"step_at({number})")["spot"]
    s.display.click(x, y)
    s.until(
        lambda: s.tell("bpy.context.object.footfall_step.number") == number,
        f"Footstep {number}, by a click at {x}, {y},",
        5,
    )
    s.do("watching.follow(rig())")
    s.display.key("g")
    s.display.move(x + right // 2, y)
    s.display.move(x + right, y)
    s.shot("dragged")
    s.display.click(x + right, y)
    clock, processor = s.until(lambda: s.tell("watching.followed()"), "New keys", 20)
    return clock, processor


def revert(s: Session) -> None:
    """Revert Last Bake: the armature plays what it did before,
    and what it played stays in the file.
    """
    before = s.state()
    s.press("footfall.revert_bake")
    s.until(lambda: s.state()["action"] != before["action"], "Another action")
    now = s.state()
    assert now["action"] == s.kept["first"], now["action"]
    assert now["actions"] == before["actions"], "an action was changed or lost"


def drive(s: Session) -> None:
    """The arrow key is held for five seconds; Enter keeps what was driven
    as keys of a new action.
    """
    before = s.state()
    begun = s.tell("hips(bpy.context.scene.frame_current)")
    s.press("footfall.drive")
    s.until(lambda: "arrow key" in _status(s), "The planner of the drive", 30)
    s.shot("ready")
    s.display.hold("Up", DRIVEN / 2, lambda: s.shot("driven"), DRIVEN / 2)
    s.display.key("Return")
    now = s.until(
        lambda: (state := s.state())["action"] != before["action"] and state, "What was driven"
    )
    assert {name: now["actions"][name] for name in before["actions"]} == before["actions"], (
        "another action was changed"
    )
    first, last = s.tell("list(rig().animation_data.action.frame_range)")
    seconds = (last - first + 1) / s.tell("bpy.context.scene.render.fps")
    went = math.dist(s.tell(f"hips({last:.0f})")[:2], begun[:2])
    print(f"  driven {seconds:.1f} s, {went:.1f} m", flush=True)
    assert seconds > REAL, f"{seconds:.1f} s were kept of {DRIVEN:.0f} s that were driven"
    assert went > 0.5 * seconds, f"it went {went:.1f} m in {seconds:.1f} s"
    s.do("bpy.context.scene.frame_set(bpy.context.scene.frame_start + 30)")


def _status(s: Session) -> Any:
    return s.tell(
        "next((m.describe_status() for m in __import__(MODULE + '.addon.drive.modal', "
        "fromlist=['_active_modes'])._active_modes), '')"
    )

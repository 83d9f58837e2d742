"""Stops of the session, in their order. Each acts as a user would and checks the result.

To add a stop, write a function here and add it to `STOPS`. Its argument is the session: `press`
calls an operator by a key with the mouse over the 3D view, `evaluate` and `execute` run Python in
Blender in the namespace of `inside.py`, and `save_picture` saves a picture of the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touching import (
    drag_footstep,
    drive,
    hide_footsteps,
    redo_drag,
    revert,
    show_footsteps,
    undo_drag,
)

if TYPE_CHECKING:
    from session import Session

CLICKED_POINTS = ((0.5, -1.1, 0.0), (0.2, -2.3, 0.0), (1.0, -3.6, 0.0))  # Clicks of the path [m]
LONG = 1200  # Length of a clip whose planning takes long enough to be interrupted [frames]
# Largest horizontal distance between a click and its point; the ground is up to 0.06 m high [m]
CLICK_TOLERANCE = 0.15


def detect(s: Session) -> None:
    """Detect recognizes the parts of the body."""
    s.press("footfall.detect_character")
    s.wait_until(lambda: s.read_state()["parts"] > 10, "The parts of the body")


def click_path(s: Session) -> None:
    """Three clicks on the ground make a curve of four points, which is the path."""
    s.press("footfall.draw_path")
    for place in CLICKED_POINTS:
        s.display.click(*s.evaluate(f"project_point({place})"))
    s.save_picture("clicked")
    s.display.key("Return")
    path = s.wait_until(lambda: s.read_state()["path"], "A path")
    points = s.evaluate(
        f"[list(p.co) for p in bpy.data.objects[{path!r}].data.splines[0].bezier_points]"
    )
    assert len(points) == 1 + len(CLICKED_POINTS), f"the path has {len(points)} points"
    for point, expected in zip(points[1:], CLICKED_POINTS, strict=True):
        assert (
            max(abs(a - b) for a, b in zip(point[:2], expected[:2], strict=True)) < CLICK_TOLERANCE
        ), f"clicked {expected}, got {point}"


def generate(s: Session) -> None:
    """Generate makes an action in which the body moves along the path."""
    s.start_generation()
    s.wait_for_bake()
    assert s.read_state()["action"], "nothing was baked"
    x, y, _ = s.evaluate("locate_hips(1)")
    to_x, to_y, _ = s.evaluate("locate_hips(60)")
    assert (to_x - x) ** 2 + (to_y - y) ** 2 > 1.5**2, (
        f"the body moved only from {x:.2f}, {y:.2f} to {to_x:.2f}, {to_y:.2f}"
    )
    s.execute("bpy.context.scene.frame_set(40)")


def undo(s: Session) -> None:
    """Undo removes the action and nothing else."""
    s.notes["generated"] = s.read_state()
    s.display.key("ctrl+z")
    s.wait_until(lambda: not s.read_state()["action"], "The state before the action")
    assert s.read_state() == {
        **s.notes["generated"],
        "action": "",
        "actions": {},
        "kept": s.read_state()["kept"],
    }


def redo(s: Session) -> None:
    """Redo restores the action with the same keys."""
    s.display.key("ctrl+shift+z")
    s.wait_until(lambda: s.read_state() == s.notes["generated"], "The action that was undone")


def push(s: Session) -> None:
    """A push at frame 25 makes another motion; the first action stays in the file."""
    before = s.read_state()
    s.notes["first"] = before["action"]
    s.execute("bpy.context.scene.frame_set(25)")
    s.press("footfall.add_push")
    s.wait_until(lambda: s.read_state()["pushes"] == 1, "A push")
    s.start_generation()
    s.wait_for_bake()
    after = s.read_state()
    assert len(after["actions"]) == 2, after["actions"]
    assert after["action"] != before["action"]
    assert after["actions"][before["action"]] == before["actions"][before["action"]], (
        "the first action was changed"
    )
    assert before["action"] in after["kept"], (
        "the first action would be lost when the file is saved"
    )
    assert after["actions"][after["action"]] != after["actions"][before["action"]], (
        "the push changed nothing"
    )


def escape(s: Session) -> None:
    """Esc stops the planning immediately and changes nothing; progress is shown until then."""
    before = s.read_state()
    _start_long_generation(s)
    s.save_picture("at-work")
    s.display.key("Escape")
    s.wait_until(lambda: not s.is_planning(), "The end of the work", 5)
    assert s.read_state() == before


def kill(s: Session) -> None:
    """A planning process that dies while it plans changes nothing."""
    before = s.read_state()
    _start_long_generation(s)
    s.blender.kill_worker()
    s.wait_until(lambda: not s.is_planning(), "The end of the work", 10)
    assert s.read_state() == before


def _start_long_generation(s: Session) -> None:
    """Start planning that takes long enough to be interrupted, and wait until it progresses."""
    s.execute(f"bpy.context.scene.frame_end = {LONG}")
    s.start_generation()
    s.execute("bpy.context.scene.frame_end = 60")
    s.wait_until(lambda: s.evaluate("read_progress()['share']") > 0.05, "Progress")


def save_and_reload(s: Session) -> None:
    """A saved file holds the whole state, including the stored plan of the action."""
    path = s.blender.folder / "walk.blend"
    before = s.read_state()
    s.execute(f"save_file({str(path)!r})")
    s.execute(f"open_file({str(path)!r})")
    s.wait_until(lambda: s.evaluate("open_sidebar()"), "The sidebar")
    assert s.read_state() == before
    assert s.evaluate(
        "__import__(MODULE + '.addon.bake.stored_plan', fromlist=['has_plan']).has_plan(find_rig())"
    ), "the action lost its stored plan"


def disable(s: Session) -> None:
    """Disabling removes all handlers and properties; enabling restores the settings of the file."""
    before = s.read_state()
    handlers = s.evaluate("count_handlers()")
    s.start_generation()
    s.execute("set_enabled(False)")
    s.check_idle(idle=0)
    assert s.evaluate("draw_handler_count") == 0, "draw handlers remain"
    assert not s.evaluate("hasattr(bpy.types.Scene, 'footfall')"), "properties remain"
    s.save_picture("off")
    s.execute("set_enabled(True)")
    s.wait_until(lambda: s.evaluate("open_sidebar()"), "The sidebar")
    assert s.read_state() == before
    assert s.evaluate("count_handlers()") == handlers


def physics(s: Session) -> None:
    """The overlay draws forces, footprints and the path of the center of mass, and stops again."""
    s.execute("bpy.context.scene.footfall_overlay.show = True")
    s.save_picture("shown")
    s.execute("bpy.context.scene.footfall_overlay.show = False")


STOPS = (
    detect,
    click_path,
    generate,
    undo,
    redo,
    show_footsteps,
    drag_footstep,
    undo_drag,
    redo_drag,
    hide_footsteps,
    push,
    physics,
    revert,
    escape,
    kill,
    drive,
    save_and_reload,
    disable,
)

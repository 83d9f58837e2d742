"""The stops of the session, in their order: each does one thing as a user would, and
says what must hold then.

Another stop is a function here and its name in `STOPS`. It gets the session: `press` calls an
operator by a key with the mouse over the 3D view, `tell` and `do` run Python in Blender over what
`inside.py` defines, `shot` keeps a picture.
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

GOES_TO = ((0.5, -1.1, 0.0), (0.2, -2.3, 0.0), (1.0, -3.6, 0.0))  # m, where the path is clicked
LONG = 1200  # frames of a clip whose planning takes a while
NEAR = 0.15  # m, between a click and the path's point; the ground is 0.06 m high at most


def detect(s: Session) -> None:
    """Detect finds the body's parts."""
    s.press("footfall.detect_character")
    s.until(lambda: s.state()["parts"] > 10, "The parts of the body")


def click_path(s: Session) -> None:
    """Three clicks on the ground make a curve of four points, which is the path."""
    s.press("footfall.draw_path")
    for place in GOES_TO:
        s.display.click(*s.tell(f"pixel({place})"))
    s.shot("clicked")
    s.display.key("Return")
    path = s.until(lambda: s.state()["path"], "A path")
    points = s.tell(
        f"[list(p.co) for p in bpy.data.objects[{path!r}].data.splines[0].bezier_points]"
    )
    assert len(points) == 1 + len(GOES_TO), f"the path has {len(points)} points"
    for point, place in zip(points[1:], GOES_TO, strict=True):
        assert max(abs(a - b) for a, b in zip(point[:2], place[:2], strict=True)) < NEAR, (
            f"clicked {place}, got {point}"
        )


def generate(s: Session) -> None:
    """A new action that carries the body along the path."""
    s.begin()
    s.finish()
    assert s.state()["action"], "nothing was baked"
    x, y, _ = s.tell("hips(1)")
    to_x, to_y, _ = s.tell("hips(60)")
    assert (to_x - x) ** 2 + (to_y - y) ** 2 > 1.5**2, (
        f"it went from {x:.2f}, {y:.2f} to {to_x:.2f}, {to_y:.2f} only"
    )
    s.do("bpy.context.scene.frame_set(40)")


def undo(s: Session) -> None:
    """One step back: the action is gone, all else is there."""
    s.kept["generated"] = s.state()
    s.display.key("ctrl+z")
    s.until(lambda: not s.state()["action"], "The state before the action")
    assert s.state() == {
        **s.kept["generated"],
        "action": "",
        "actions": {},
        "kept": s.state()["kept"],
    }


def redo(s: Session) -> None:
    """And forth: the same keys."""
    s.display.key("ctrl+shift+z")
    s.until(lambda: s.state() == s.kept["generated"], "The action that was undone")


def push(s: Session) -> None:
    """A push at frame 25 makes another motion; the first one is kept."""
    before = s.state()
    s.kept["first"] = before["action"]
    s.do("bpy.context.scene.frame_set(25)")
    s.press("footfall.add_push")
    s.until(lambda: s.state()["pushes"] == 1, "A push")
    s.begin()
    s.finish()
    now = s.state()
    assert len(now["actions"]) == 2, now["actions"]
    assert now["action"] != before["action"]
    assert now["actions"][before["action"]] == before["actions"][before["action"]], (
        "the first action was changed"
    )
    assert before["action"] in now["kept"], "the first action would be lost when the file is saved"
    assert now["actions"][now["action"]] != now["actions"][before["action"]], (
        "the push changed nothing"
    )


def escape(s: Session) -> None:
    """Esc ends the work at once; nothing was changed. Progress is shown until then."""
    before = s.state()
    _long_work(s)
    s.shot("at-work")
    s.display.key("Escape")
    s.until(lambda: not s.working(), "The end of the work", 5)
    assert s.state() == before


def kill(s: Session) -> None:
    """The planning process dies at work; Blender says so and nothing was changed."""
    before = s.state()
    _long_work(s)
    s.blender.kill_worker()
    s.until(lambda: not s.working(), "The end of the work", 10)
    assert s.state() == before


def _long_work(s: Session) -> None:
    """Begin work that is long enough to be stopped, and wait until it is under way."""
    s.do(f"bpy.context.scene.frame_end = {LONG}")
    s.begin()
    s.do("bpy.context.scene.frame_end = 60")
    s.until(lambda: s.tell("work()['share']") > 0.05, "Progress")


def save_and_reload(s: Session) -> None:
    """All is in the file, the plan of the action too."""
    path = s.blender.folder / "walk.blend"
    before = s.state()
    s.do(f"save_file({str(path)!r})")
    s.do(f"open_file({str(path)!r})")
    s.until(lambda: s.tell("opened()"), "The sidebar")
    assert s.state() == before
    assert s.tell(
        "__import__(MODULE + '.addon.bake.stored_plan', fromlist=['has_plan']).has_plan(rig())"
    ), "the action lost its plan"


def disable(s: Session) -> None:
    """Switched off nothing of it hangs on Blender; switched on again the
    file's settings are there.
    """
    before = s.state()
    attached = s.tell("attached()")
    s.begin()
    s.do("enabled(False)")
    s.nothing_runs(idle=0)
    assert s.tell("drawn") == 0, "draw handlers are left"
    assert not s.tell("hasattr(bpy.types.Scene, 'footfall')"), "properties are left"
    s.shot("off")
    s.do("enabled(True)")
    s.until(lambda: s.tell("opened()"), "The sidebar")
    assert s.state() == before
    assert s.tell("attached()") == attached


def physics(s: Session) -> None:
    """Forces, footprints and the way of the centre of mass are drawn over the
    view, and are gone again.
    """
    s.do("bpy.context.scene.footfall_overlay.show = True")
    s.shot("shown")
    s.do("bpy.context.scene.footfall_overlay.show = False")


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

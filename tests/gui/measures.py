"""Stops that measure: panels, the overlay over a large scene,
and how soon keys follow a footstep in a long clip.

Each prints its figure, and holds it to its bar. They leave the scene as it was saved before.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from touching import drag

if TYPE_CHECKING:
    from session import Session

REDRAWS = 30
PANEL = 2e-3  # s that a panel may take to draw
OVERLAY = 2e-3  # s that the overlay may take to draw, on the processor
VERTICES = 100_000
PLAYED = 20.0  # s
LONG = 20.0  # s of the clip in which footsteps are dragged
DRAGS = 5
FOLLOWS = 0.5  # s from letting a footstep go to its new keys, where nothing else is at work


def panels(s: Session) -> None:
    """Every panel, open and with all that it can show, one after the other;
    the footsteps are those of a long clip.
    """
    _generate(s, LONG)
    _fill(s)
    slowest: dict[str, float] = {}
    for name in s.tell("[cls.__name__ for cls in panels()]"):
        s.do(f"show_only({name!r})")
        s.until(lambda: s.tell("opened()"), "The sidebar")
        s.do("draw()")
        took = s.tell(f"watching.panels_take(draw, {REDRAWS})")
        drew = took[f"{name}.draw"]
        assert len(drew) >= REDRAWS, f"{name} was drawn {len(drew)} times"
        around = sum(sum(calls) for called, calls in took.items() if called.endswith("poll")) / len(
            drew
        )
        slowest[name] = statistics.median(drew) + around
        print(
            (
                f"  {name:24} draws in {1e3 * statistics.median(drew):.2f} ms (at most "
                f"{1e3 * max(drew):.2f}), its buttons' polls {1e3 * around:.2f} ms"
            ),
            flush=True,
        )
    for name, seconds in slowest.items():
        assert seconds < PANEL, f"{name} takes {1e3 * seconds:.2f} ms a redraw"


def overlay(s: Session) -> None:
    """The overlay while a scene of many vertices plays, against the same scene without it."""
    _generate(s, LONG)
    s.do("bpy.context.scene.render.fps = 60")
    print(f"  {s.tell(f'add_vertices({VERTICES})')} vertices", flush=True)
    s.do(
        "watching.note_draws(__import__(MODULE + '.addon.overlay.manager', fromlist=['_entries']))"
    )
    without = _play(s, False)
    with_it = _play(s, True)
    s.do("bpy.context.scene.frame_set(200)")
    s.shot("shown")
    for name, told in (("without", without), ("with", with_it)):
        print(
            f"  {name} the overlay: {told['drawn'] / told['seconds']:.1f} pictures a second",
            flush=True,
        )
    own = _own(with_it)
    drawing = _drawing(with_it)
    idle = _own(without)
    calls = with_it["draws"] / max(with_it["drawn"], 1)
    print(
        (
            f"  its functions: {1e3 * own:.2f} ms a picture on the processor, {1e3 * idle:.2f} ms "
            "where it is off"
        ),
        flush=True,
    )
    print(
        (
            f"  besides {1e3 * drawing:.2f} ms in {calls:.0f} calls that draw, where there is no "
            "graphics card"
        ),
        flush=True,
    )
    _back(s)
    assert own < OVERLAY, f"the overlay takes {1e3 * own:.2f} ms a picture"


def long_clip(s: Session) -> None:
    """Footsteps of a long clip are dragged, one after the other."""
    _generate(s, LONG)
    s.press("footfall.show_steps")
    s.until(lambda: s.tell("len(steps())") > 20, "Footsteps")
    took = []
    for k in range(DRAGS):
        number = 8 + 4 * k
        s.do(f"look_at(step_at({number})['place'], 6.0)")
        s.do("draw()")
        took.append(drag(s, number, 20 if k % 2 else -20))
        print(
            (
                f"  footstep {number} of {s.tell('len(steps())')}: new keys {took[-1][0]:.2f} s "
                f"after it was let go, {took[-1][1]:.2f} s of them on the processor"
            ),
            flush=True,
        )
    _back(s)
    worked = statistics.median(processor for _, processor in took)
    assert worked < FOLLOWS, f"new keys took {worked:.2f} s on the processor"


MEASURES = (overlay, long_clip)
LAST = (panels,)  # which leaves nothing of the tab as it was


def _generate(s: Session, seconds: float) -> None:
    """A long level walk."""
    _keep(s)
    s.do(f"long_walk({seconds})")
    s.begin()
    s.finish()
    s.do("look_at((0.0, -8.0, 0.5), 20.0)")


def _fill(s: Session) -> None:
    """Footsteps in the scene, and something on every list."""
    for call in ("add_push", "add_wait", "add_jump", "add_struck"):
        s.do(f"with over():\n    bpy.ops.footfall.{call}()")
    s.do("with over():\n    bpy.ops.footfall.show_steps()")
    s.do("for entry in rig().footfall.findings:\n    entry.shown = True")


def _keep(s: Session) -> None:
    """Keep the scene as it is."""
    s.kept["file"] = str(s.blender.folder / "before-measuring.blend")
    s.do(f"save_file({s.kept['file']!r})")


def _back(s: Session) -> None:
    s.do(f"open_file({s.kept['file']!r})")
    s.until(lambda: s.tell("opened()"), "The sidebar")


def _play(s: Session, shown: bool) -> dict[str, Any]:
    s.do(f"bpy.context.scene.footfall_overlay.show = {shown}")
    s.do("draw()")
    s.do(f"watching.played({PLAYED})")
    return dict(s.until(lambda: s.tell("watching.playing()"), "The end of playing", PLAYED + 30))


def _own(told: dict[str, Any]) -> float:
    """Seconds of a picture in which the overlay's functions worked and did
    not draw, on the whole.
    """
    return statistics.median(
        sum(took - drew for took, drew in picture) for picture in zip(*told["calls"], strict=False)
    )


def _drawing(told: dict[str, Any]) -> float:
    return statistics.median(
        sum(drew for _, drew in picture) for picture in zip(*told["calls"], strict=False)
    )

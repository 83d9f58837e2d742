"""Stops that measure the speed of panels, of the overlay and of footstep edits in a long clip.

Each prints its measurements and checks them against a limit. The scene is restored afterwards.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from touching import drag

if TYPE_CHECKING:
    from session import Session

REDRAWS = 30
MAX_PANEL_TIME = 2e-3  # Longest time to draw a panel [s]
MAX_OVERLAY_TIME = 2e-3  # Longest time of the overlay's functions per picture, on the processor [s]
VERTICES = 100_000
PLAYBACK_DURATION = 20.0  # [s]
LONG_CLIP = 20.0  # Length of the clip in which footsteps are dragged [s]
DRAGS = 5
# Longest time on the processor from the release of a footstep to its new keys [s]
MAX_EDIT_TIME = 0.5


def panels(s: Session) -> None:
    """Every panel draws within the limit, open and with everything that it can show."""
    _generate(s, LONG_CLIP)
    _fill_lists(s)
    slowest: dict[str, float] = {}
    for name in s.evaluate("[cls.__name__ for cls in list_panels()]"):
        s.execute(f"show_only({name!r})")
        s.wait_until(lambda: s.evaluate("open_sidebar()"), "The sidebar")
        s.execute("redraw()")
        times = s.evaluate(f"watching.time_panels(redraw, {REDRAWS})")
        draw_times = times[f"{name}.draw"]
        assert len(draw_times) >= REDRAWS, f"{name} was drawn {len(draw_times)} times"
        poll_time = sum(
            sum(calls) for called, calls in times.items() if called.endswith("poll")
        ) / len(draw_times)
        slowest[name] = statistics.median(draw_times) + poll_time
        print(
            (
                f"  {name:24} draws in {1e3 * statistics.median(draw_times):.2f} ms (at most "
                f"{1e3 * max(draw_times):.2f}), its buttons' polls {1e3 * poll_time:.2f} ms"
            ),
            flush=True,
        )
    for name, seconds in slowest.items():
        assert seconds < MAX_PANEL_TIME, f"{name} takes {1e3 * seconds:.2f} ms a redraw"


def overlay(s: Session) -> None:
    """The overlay draws within the limit while a scene of many vertices plays."""
    _generate(s, LONG_CLIP)
    s.execute("bpy.context.scene.render.fps = 60")
    print(f"  {s.evaluate(f'add_vertices({VERTICES})')} vertices", flush=True)
    manager = "__import__(MODULE + '.addon.overlay.manager', fromlist=['_entries'])"
    s.execute(f"watching.time_drawing({manager})")
    hidden = _play(s, False)
    shown = _play(s, True)
    s.execute("bpy.context.scene.frame_set(200)")
    s.save_picture("shown")
    for name, playback in (("without", hidden), ("with", shown)):
        rate = playback["drawn"] / playback["seconds"]
        print(f"  {name} the overlay: {rate:.1f} pictures a second", flush=True)
    function_time = _measure_functions(shown)
    drawing_time = _measure_drawing(shown)
    idle_time = _measure_functions(hidden)
    calls = shown["draws"] / max(shown["drawn"], 1)
    print(
        (
            f"  its functions: {1e3 * function_time:.2f} ms a picture on the processor, "
            f"{1e3 * idle_time:.2f} ms while it is hidden"
        ),
        flush=True,
    )
    print(
        f"  drawing without a graphics card: {1e3 * drawing_time:.2f} ms in {calls:.0f} calls",
        flush=True,
    )
    _restore_scene(s)
    assert function_time < MAX_OVERLAY_TIME, (
        f"the overlay takes {1e3 * function_time:.2f} ms a picture"
    )


def long_clip(s: Session) -> None:
    """New keys follow dragged footsteps of a long clip within the limit."""
    _generate(s, LONG_CLIP)
    s.press("footfall.show_steps")
    s.wait_until(lambda: s.evaluate("len(list_footsteps())") > 20, "Footsteps")
    times = []
    for k in range(DRAGS):
        number = 8 + 4 * k
        s.execute(f"aim_view(describe_footstep({number})['position'], 6.0)")
        s.execute("redraw()")
        times.append(drag(s, number, 20 if k % 2 else -20))
        print(
            (
                f"  footstep {number} of {s.evaluate('len(list_footsteps())')}: new keys "
                f"{times[-1].clock:.2f} s after its release, {times[-1].processor:.2f} s of them "
                "on the processor"
            ),
            flush=True,
        )
    _restore_scene(s)
    processor_time = statistics.median(t.processor for t in times)
    assert processor_time < MAX_EDIT_TIME, f"new keys took {processor_time:.2f} s on the processor"


MEASURES = (overlay, long_clip)
LAST = (panels,)  # at the end, since it changes the panels of the tab


def _generate(s: Session, seconds: float) -> None:
    """Save the scene and generate a long level walk."""
    _save_scene(s)
    s.execute(f"set_up_long_walk({seconds})")
    s.start_generation()
    s.wait_for_bake()
    s.execute("aim_view((0.0, -8.0, 0.5), 20.0)")


def _fill_lists(s: Session) -> None:
    """Show the footsteps and add an entry to every list."""
    for call in ("add_push", "add_wait", "add_jump", "add_struck"):
        s.execute(f"with override_context():\n    bpy.ops.footfall.{call}()")
    s.execute("with override_context():\n    bpy.ops.footfall.show_steps()")
    s.execute("for entry in find_rig().footfall.findings:\n    entry.shown = True")


def _save_scene(s: Session) -> None:
    """Save the scene so that it can be restored."""
    s.notes["file"] = str(s.blender.folder / "before-measuring.blend")
    s.execute(f"save_file({s.notes['file']!r})")


def _restore_scene(s: Session) -> None:
    s.execute(f"open_file({s.notes['file']!r})")
    s.wait_until(lambda: s.evaluate("open_sidebar()"), "The sidebar")


def _play(s: Session, is_shown: bool) -> dict[str, Any]:
    """Play the scene and return the counts and times of its playback."""
    s.execute(f"bpy.context.scene.footfall_overlay.show = {is_shown}")
    s.execute("redraw()")
    s.execute(f"watching.start_playback({PLAYBACK_DURATION})")
    return dict(
        s.wait_until(
            lambda: s.evaluate("watching.read_playback()"),
            "The end of the playback",
            PLAYBACK_DURATION + 30,
        )
    )


def _measure_functions(playback: dict[str, Any]) -> float:
    """Return the median time of the overlay's functions per picture, without drawing [s]."""
    return statistics.median(
        sum(total - drawing for total, drawing in picture)
        for picture in zip(*playback["calls"], strict=False)
    )


def _measure_drawing(playback: dict[str, Any]) -> float:
    """Return the median time of drawing calls per picture [s]."""
    return statistics.median(
        sum(drawing for _, drawing in picture) for picture in zip(*playback["calls"], strict=False)
    )

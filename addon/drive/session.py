"""A live drive: input, planning process, display on the rig and final bake."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.engine import note_flaws
from ...core.engine.shared.disturbances import list_push_parts
from ...core.errors import CharacterError, FootfallError
from ...core.motion import Motion
from ...core.motion.splice import cut_first_frames, join_parts
from ...core.task import Path, Push, SpeedProfile
from ..bake.bake import BakeResult
from ..bake.history import bake_and_record
from ..bake.options import DEFAULT_OPTIONS
from ..bake.stored_plan import StoredPlan
from ..rigs.known_rigs import find_control_rig
from ..scene.drive_task import DriveRequest
from ..units import read_unit_scale
from ..worker.drive_process import DriveProcess, InputCommand
from ..worker.fast_engine import prefer_fast_engine
from .input import DriveInput, project_to_ground
from .playback import Playback
from .pose_preview import PosePreview

Array = NDArray[np.float64]


@dataclass(frozen=True)
class DragPushParameters:
    """Strength of pushes that the user makes by dragging the character."""

    # Duration of a push [s], that of `Push.seconds`.
    duration: float = 0.2
    # Greatest acceleration [m/s^2]. Steps cannot balance a stronger push.
    max_acceleration: float = 7.0
    # Length of the drag of the greatest push, at an interface scale of 1 [pixels]: by hand, a fifth
    # of the height of a view
    full_drag: float = 200.0


@dataclass(frozen=True)
class PathSampling:
    """Sampling of the path that is stored with the plan of a drive."""

    # Time between two points of the path [s], half a step, between which a course hardly bends.
    interval: float = 0.25
    # Distance between two points below which the body counts as standing [m].
    min_step: float = 0.01


DRAG_PUSH = DragPushParameters()
PATH_SAMPLING = PathSampling()


@dataclass(frozen=True)
class BakedDrive:
    """A drive that was baked."""

    result: BakeResult
    motion: Motion


class DriveSession:
    """A live drive of one rig.

    Args:
        armature: rig to drive.
        drive_request: task and speeds.

    Attributes:
        request: task and what baking its motion takes.
        drive_input: pressed keys and stick.
        command: current command; None before the first input.
        failure: error message if the drive cannot continue; otherwise empty.
        playback: parts that have been shown and the current frame.

    Raises:
        FootfallError: no process can be started.
    """

    def __init__(self, armature: bpy.types.Object, drive_request: DriveRequest) -> None:
        request = prefer_fast_engine(drive_request.request)
        self.request = request
        self.drive_input = DriveInput(drive_request.speeds)
        self.command: InputCommand | None = None
        self.failure = ""
        self._pending_pushes: tuple[Push, ...] = ()  # pushes that no shown part contains
        self._process = DriveProcess(request.task, request.style)
        self.playback = Playback(self._process, request.task.fps)
        self._part_first_frame = 0  # frame at which the current part begins
        try:
            has_control_rig = find_control_rig(armature, request.rig.binding) is not None
            self._preview = (
                None
                if has_control_rig
                else PosePreview(
                    armature, request.rig.binding, request.placement, ground=request.task.ground
                )
            )
        except BaseException:
            self._process.stop()
            raise

    @property
    def pid(self) -> int:
        """Identifier of the planning process."""
        return self._process.pid

    @property
    def is_ready(self) -> bool:
        """Whether the planning process accepts commands."""
        return self._process.is_ready

    def tick(self, now: float, view: Array) -> bool:
        """Advance to a time.

        Args:
            now: current time [s].
            view: rotation of the view in the world, (3, 3).

        Returns:
            Whether the displayed frame has changed.

        Raises:
            FootfallError: the drive failed before its first part. Later failures are stored in
                `failure`.
        """
        if self.failure:
            return False
        command = self.drive_input.read_command(view, self.command)
        self.command = None if command is None else replace(command, pushes=self._pending_pushes)
        previous_frame = self.playback.frame
        try:
            if self.command is None:
                self._process.poll()
                return False
            new_part = self.playback.tick(now, self.command)
        except FootfallError as error:
            if not self.playback.parts:
                raise
            self.failure = str(error)
            self._process.stop()
            return False
        if new_part is not None:
            self._start_part(new_part)
        if self.playback.frame == previous_frame:
            return False
        if self._preview is not None:
            self._preview.show(self.playback.frame - self._part_first_frame)
        return True

    def _start_part(self, part: Motion) -> None:
        """Show a part and remove the pushes that it contains from the pending ones."""
        self._part_first_frame = self.playback.frame_count - part.frames
        applied_pushes = (
            self.playback.shown_command.pushes if self.playback.shown_command is not None else ()
        )
        self._pending_pushes = tuple(
            push for push in self._pending_pushes if push not in applied_pushes
        )
        if self._preview is not None:
            self._preview.load_part(part)

    def push(self, body_part: str, drag: Array, view: Array) -> None:
        """Push the character as soon as possible.

        Args:
            body_part: part of the body at which the force acts.
            drag: drag on the screen, right and up, (2,) [pixels at an interface scale of 1].
            view: rotation of the view in the world, (3, 3).
        """
        force = self.compute_push_force(drag)
        if force > 0:
            force_vector = force * project_to_ground(view, drag / np.linalg.norm(drag))
            self._pending_pushes = (
                *self._pending_pushes,
                Push(
                    0.0,
                    (float(force_vector[0]), float(force_vector[1]), 0.0),
                    DRAG_PUSH.duration,
                    body_part,
                ),
            )

    def compute_push_force(self, drag: Array) -> float:
        """Return the force of a push [N].

        Args:
            drag: drag on the screen, (2,) [pixels at an interface scale of 1].
        """
        share = min(float(np.linalg.norm(drag)) / DRAG_PUSH.full_drag, 1.0)
        acceleration = DRAG_PUSH.max_acceleration * share
        return float(self.request.rig.character.mass * acceleration)

    def find_body_parts(self, scene: bpy.types.Scene) -> dict[str, Array]:
        """Return the positions of the body parts that can be pushed, by name [scene units]."""
        if not self.playback.parts:
            return {}
        part = self.playback.parts[-1]
        positions = part.link_position[
            min(self.playback.frame - self._part_first_frame, part.frames - 1)
        ] / read_unit_scale(scene)
        return {
            name: positions[link]
            for name, link in list_push_parts(self.request.rig.character).items()
        }

    def compute_skeleton_lines(self, scene: bpy.types.Scene) -> Array:
        """Return lines between the joints for a rig that cannot display the drive itself.

        Returns:
            Ends of the lines, (k, 2, 3) [scene units].
        """
        if self._preview is not None or not self.playback.parts:
            return np.zeros((0, 2, 3))
        part = self.playback.parts[-1]
        frame = min(self.playback.frame - self._part_first_frame, part.frames - 1)
        joints = part.link_origin[frame]
        centers = part.link_position[frame]
        links = self.request.rig.character.links
        parents = {link.parent for link in links}
        lines = [
            (joints[link.parent], joints[k]) for k, link in enumerate(links) if link.parent >= 0
        ]
        # Links at the end of a chain: head, hands and feet.
        lines += [
            (joints[k], 2 * centers[k] - joints[k]) for k in range(len(links)) if k not in parents
        ]
        return np.array(lines) / read_unit_scale(scene)

    def find_position(self, scene: bpy.types.Scene) -> Array | None:
        """Return the position of the body, (3,) [scene units]; None before the first part."""
        if not self.playback.parts:
            return None
        part = self.playback.parts[-1]
        return np.asarray(
            part.link_origin[min(self.playback.frame - self._part_first_frame, part.frames - 1), 0]
            / read_unit_scale(scene)
        )

    def assemble_motion(self) -> Motion:
        """Return the motion of all displayed frames.

        Raises:
            MotionError: no frame was displayed.
        """
        return cut_first_frames(join_parts(self.playback.parts), self.playback.frame + 1)

    def measure_off_ground_time(self, motion: Motion) -> float:
        """Return the time in which a foot has contact where there is no ground [s]."""
        is_off_ground = (
            np.isnan(self.request.task.ground.sample_heights(motion.contact_position[..., :2]))
            & motion.contact_active
        )
        return float(is_off_ground.any(1).sum() / motion.fps)

    def end_and_bake(self, scene: bpy.types.Scene) -> BakedDrive:
        """End the drive and bake its motion and plan into a new action.

        Raises:
            FootfallError: no frame was displayed, or the armature was deleted or has changed.
        """
        request = self.request
        motion = note_flaws(request.task, self.assemble_motion())
        self.end()
        armature = scene.objects.get(request.armature)
        if armature is None or armature.type != "ARMATURE":
            raise CharacterError(
                f"The armature {request.armature!r} is no longer in the scene, so there was "
                "nothing to bake onto."
            )
        bpy.context.view_layer.update()
        task = replace(
            request.task,
            seconds=max(motion.report.clip_seconds, 0.1),
            **_extract_driven_path(motion),
        )
        stored_plan = StoredPlan(
            task, motion, request.placement, request.first_frame, request.rig_options, request.style
        )
        recorded = bake_and_record(
            armature, stored_plan, request.rig.binding, DEFAULT_OPTIONS, replaces_last=False
        )
        return BakedDrive(recorded.result, motion)

    def end(self) -> None:
        """End the process and restore the rig; does nothing if it was ended before."""
        self._process.stop()
        if self._preview is not None:
            self._preview.restore()
            self._preview = None


def _extract_driven_path(motion: Motion) -> dict[str, Path | SpeedProfile]:
    """Return path and speed profile of a motion as fields of a task; none if the body stood."""
    sampled = np.unique(
        np.append(
            np.arange(0, motion.frames, max(int(PATH_SAMPLING.interval * motion.fps), 1)),
            motion.frames - 1,
        )
    )
    points = motion.com[sampled, :2]
    times = sampled / motion.fps
    step_lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if len(sampled) < 2 or step_lengths.max() < PATH_SAMPLING.min_step:
        return {}
    return {"path": Path(points), "speed": SpeedProfile(step_lengths / np.diff(times), times[:-1])}

"""A drive: hands, the process that plans, the rig that shows it,
and what becomes of it in the end.
"""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

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
from .input import DriveInput, project_to_ground
from .playback import Playback
from .pose_preview import PosePreview

Array = NDArray[np.float64]

PUSH_DURATION = 0.2  # s that a push lasts
ACCELERATION_PER_PIXEL = 0.035  # m/s^2 that a pixel of dragging pushes with
MAX_PUSH_ACCELERATION = 7.0  # m/s^2 at most; more than that no steps catch
PATH_SAMPLE_TIME = 0.25  # s between the points of the way that is kept with a plan


class DriveSession:
    """One drive on one rig. `end` may be called at any time and as often as one likes;
    it leaves all as it was.
    """

    def __init__(self, armature: bpy.types.Object, drive_request: DriveRequest) -> None:
        request = drive_request.request
        self.request = request
        speeds = drive_request.speeds
        self.drive_input = DriveInput(speeds.slow, speeds.natural, speeds.fast)
        self.command: InputCommand | None = None
        self.failure = ""  # why it cannot go on
        self._pending_pushes: tuple[Push, ...] = ()  # that no part which is shown has felt yet
        self._process = DriveProcess(request.task, request.style)
        self.playback = Playback(self._process, request.task.fps)
        self._part_first_frame = 0  # frame that the part which is shown begins at
        try:
            has_control_rig = find_control_rig(armature, request.rig.binding) is not None
            self._preview = (
                None
                if has_control_rig
                else PosePreview(armature, request.rig.binding, request.placement)
            )
        except BaseException:
            self._process.stop()
            raise

    @property
    def pid(self) -> int:
        """Number of the planning process."""
        return self._process.pid

    @property
    def is_ready(self) -> bool:
        """Whether the process waits for hands."""
        return self._process.is_ready

    def tick(self, now: float, view: Array) -> bool:
        """Go on to a time in s; whether another frame is shown.

        Args:
            view: (3, 3) rotation of the view in the world.

        Raises:
            FootfallError: it cannot go on, and nothing was driven yet.
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
        """A part is shown from now on; what it felt is over."""
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
        """Push the character as soon as it can be, along a way on the screen."""
        force = self.compute_push_force(drag)
        if force > 0:
            force_vector = force * project_to_ground(view, drag / np.linalg.norm(drag))
            self._pending_pushes = (
                *self._pending_pushes,
                Push(
                    0.0,
                    (float(force_vector[0]), float(force_vector[1]), 0.0),
                    PUSH_DURATION,
                    body_part,
                ),
            )

    def compute_push_force(self, drag: Array) -> float:
        """Newtons that a drag of so many pixels (2,) pushes with."""
        return float(
            self.request.rig.character.mass
            * min(ACCELERATION_PER_PIXEL * float(np.linalg.norm(drag)), MAX_PUSH_ACCELERATION)
        )

    def find_body_parts(self, scene: bpy.types.Scene) -> dict[str, Array]:
        """Where the parts of the body that can be pushed are now, in the scene's units."""
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
        """Lines from joint to joint for a rig that cannot be shown itself,
        in the scene's units. (k, 2, 3).
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
        # head, hands and feet
        lines += [
            (joints[k], 2 * centers[k] - joints[k]) for k in range(len(links)) if k not in parents
        ]
        return np.array(lines) / read_unit_scale(scene)

    def find_position(self, scene: bpy.types.Scene) -> Array | None:
        """Where the body is, in the scene's units. (3,)."""
        if not self.playback.parts:
            return None
        part = self.playback.parts[-1]
        return np.asarray(
            part.link_origin[min(self.playback.frame - self._part_first_frame, part.frames - 1), 0]
            / read_unit_scale(scene)
        )

    def assemble_motion(self) -> Motion:
        """All that was shown.

        Raises:
            MotionError: nothing was.
        """
        return cut_first_frames(join_parts(self.playback.parts), self.playback.frame + 1)

    def measure_off_ground_time(self, motion: Motion) -> float:
        """For how many seconds of a motion a foot stands where there is no ground."""
        is_off_ground = (
            np.isnan(self.request.task.ground.sample_heights(motion.contact_position[..., :2]))
            & motion.contact_active
        )
        return float(is_off_ground.any(1).sum() / motion.fps)

    def end_and_bake(self, scene: bpy.types.Scene) -> tuple[BakeResult, Motion]:
        """End, and bake what was driven into a new action, which carries it as its plan.

        Raises:
            FootfallError: nothing was driven, or the character is gone or has changed.
        """
        motion = self.assemble_motion()
        request = self.request
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
        return recorded.result, motion

    def end(self) -> None:
        """End the process and have the rig as it was; harmless when it was done before."""
        self._process.stop()
        if self._preview is not None:
            self._preview.restore()
            self._preview = None


def _extract_driven_path(motion: Motion) -> dict[str, Path | SpeedProfile]:
    """The way and the speeds that were driven, where it went anywhere."""
    sampled = np.unique(
        np.append(
            np.arange(0, motion.frames, max(int(PATH_SAMPLE_TIME * motion.fps), 1)),
            motion.frames - 1,
        )
    )
    points = motion.com[sampled, :2]
    times = sampled / motion.fps
    step_lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if len(sampled) < 2 or step_lengths.max() < 0.01:
        return {}
    return {"path": Path(points), "speed": SpeedProfile(step_lengths / np.diff(times), times[:-1])}

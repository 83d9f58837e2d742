"""A task: everything that an engine needs to know to generate a motion."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal

from ..character.recognition.skeleton import Skeleton
from ..clip.style.knobs import Knobs
from ..clip.style.recipe import Recipe, StyleShare
from ..errors import TaskError
from ..geometry.units import STANDARD_GRAVITY
from ..terrain import FlatGround, Ground
from .bars import MonkeyBars
from .facing import PathFacing
from .field_kinds import (
    CharacterName,
    Flag,
    GroundSurface,
    Number,
    OverTime,
    Part,
    Parts,
    StyleKnobs,
    StyleShares,
    Text,
    UnitsOfNumbers,
)
from .forbidden import AllowedGround, ForbiddenArea
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import KeyPose
from .look import GazeTarget
from .path import Path
from .pinned_step import PinnedStep
from .profile import FacingOffset, Profile, SpeedProfile
from .projectile import Projectile
from .push import Push
from .record import Record, kind_of, require_kinds
from .standing_pose import StandingPose
from .stones import SteppingStones
from .units import ACCELERATION, FREQUENCY, LENGTH, PURE_NUMBER, SPEED, TIME, TaskUnits

Start = Literal["moving", "standing"]
Tread = Literal["whole", "forefoot"]
# Gaits of a simulated body, on leg 0 and on leg 1.
HOP_GAITS = ("hop left", "hop right")


@require_kinds
@dataclass(frozen=True, kw_only=True)
class Task(Record):
    """What to generate. Only `path` and `speed` may be positional.

    The metadata of each field says how it is stored, converted to other units and shifted, see
    `field_kinds`. The order of the fields is that of the entries in a task file.

    Args:
        name: of the motion.
        engine: name of the engine.
        style: name of a built-in style, or path of a style's file (.toml) or of a clip that shows
            it (.bvh). Bodies on four legs have built-in styles of their species, without clips.
        upper_style: a style, named as `style` is, whose chest, arms and head replace those of
            the style, or a clip without a walk, whose posture is held; None for those of the style.
        gait: gait at all speeds of a body that has a choice, such as "trot"; for a simulated body
            "hop left" or "hop right"; None for the gaits that result from its speed.
        start: whether the body is already moving in the first frame, or standing.
        tread: what of a foot may rest where there is no room for all of it, as on narrow stairs:
            nothing, so that only "whole" feet rest, or the ball and toes ("forefoot"). Where there
            is room the whole foot rests in any case; on stepping stones and in jumps it always
            does.
        seconds: length of the clip [s].
        fps: frame rate [1/s].
        friction: coefficient between soles and ground.
        gravity: downward [m/s^2].
        mass: of the whole body [kg]; None for the character's mass. It only matters for pushes.
        seed: of all random choices.
        stop_at_end: whether the body halts at the end of the path instead of going straight on.
        character: name of a built-in character, path of a character's file (.toml) or a robot's
            (MJCF .xml, .urdf), or the skeleton of a rig.
        path: where to go; the clip begins at its first point.
        speed: along the path [m/s].
        ground: the terrain.
        stride_length: length of two steps over time [m] instead of the style's; the step time
            follows from it and the speed.
        step_width_factor: multiple of the style's step width over time; 0 puts the feet on one
            line.
        facing_offset: angle between body and path over time. The speed is reduced to what feet
            can follow.
        facing: world headings of the body by the distance along the path; None for along the path.
            Not together with `facing_offset`.
        pushes: external pushes, in any order.
        projectiles: balls thrown at the body, in any order.
        pinned_steps: footsteps that stay as they are, in any order; the others are planned around
            them.
        stepping_stones: the only footholds as long as there are any near the path; None for
            footsteps anywhere.
        monkey_bars: overhead bars to move along hand over hand, at the task's speed, or at the
            speed of a free swing if that is 0. Such a task begins at rest (`start` standing) and
            does nothing else.
        forbidden_areas: ground to step beside. A pinned footstep stays even there.
        hurdles: bars to leap over. Not together with `stepping_stones`.
        first_pose, last_pose: poses at rest in which the clip begins and ends; both feet stand
            where the pose has them.
        gaze: what the head turns to within the range of the neck; None for the style's gaze.
        key_poses: poses of chest, arms and head at given times, in any order.
        mixed_styles: other styles, named as `style` is, and their shares.
        knobs: changes to the style.
        jumps: in any order. With an engine whose bodies stand between jumps
            (`EngineInfo.jumps_while_moving`), the task begins from standing and does nothing else.
        units: in which the numbers are, relative to SI units; not stored in files. Engines set it.
        recipe: style, mixed styles, upper style and knobs as one; derived.

    Raises:
        TaskError: a value is out of range, or two of them contradict each other.
    """

    name: str = field(default="task", metadata=Text(key="name").metadata)
    engine: str = field(default="centroidal", metadata=Text(key="engine").metadata)
    style: str = field(
        default="natural", metadata=Text(key="style", feature="styles (style)").metadata
    )
    upper_style: str | None = field(
        default=None, metadata=Text(key="upper", feature="an upper body's style").metadata
    )
    gait: str | None = field(
        default=None,
        metadata=Text(
            key="gait",
            feature=f"the gait {{task.gait!r}} (its gaits are: {', '.join(map(repr, HOP_GAITS))})",
        ).metadata,
    )
    start: Start = field(
        default="moving", metadata=Text(key="start", choices=("moving", "standing")).metadata
    )
    tread: Tread = field(
        default="whole",
        metadata=Text(
            key="tread", choices=("whole", "forefoot"), feature="a tread on the forefoot"
        ).metadata,
    )
    seconds: float = field(
        default=10.0,
        metadata=Number(
            key="seconds",
            label="length of the clip in seconds",
            dimension=TIME,
            is_moment=True,
            minimum=0.1,
            maximum=3600.0,
        ).metadata,
    )
    fps: float = field(
        default=30.0,
        metadata=Number(
            key="fps", label="frame rate", dimension=FREQUENCY, minimum=1.0, maximum=1000.0
        ).metadata,
    )
    friction: float = field(
        default=1.0,
        metadata=Number(
            key="friction",
            label="friction coefficient",
            dimension=PURE_NUMBER,
            minimum=0.05,
            feature="friction",
        ).metadata,
    )
    gravity: float = field(
        default=STANDARD_GRAVITY,
        metadata=Number(key="gravity", dimension=ACCELERATION, minimum=0.1).metadata,
    )
    mass: float | None = field(
        default=None, metadata=Number(key="mass", dimension=PURE_NUMBER).metadata
    )
    seed: int = field(
        default=0,
        metadata=Number(key="seed", dimension=PURE_NUMBER, number_type=int, minimum=0).metadata,
    )
    stop_at_end: bool = field(default=True, metadata=Flag(key="stop_at_end").metadata)
    character: str | Skeleton = field(
        default="humanoid", metadata=CharacterName(key="character").metadata
    )
    path: Path = field(kw_only=False, metadata=Part(key="path", part=Path).metadata)
    speed: SpeedProfile = field(
        kw_only=False,
        metadata=OverTime(key="speed", profile=SpeedProfile, dimension=SPEED).metadata,
    )
    ground: Ground = field(
        default_factory=FlatGround, metadata=GroundSurface(key="terrain").metadata
    )
    stride_length: Profile | None = field(
        default=None,
        metadata=OverTime(key="stride", profile=Profile, dimension=LENGTH).metadata,
    )
    step_width_factor: Profile = field(
        default_factory=lambda: Profile("width", 1.0),
        metadata=OverTime(
            key="width", profile=Profile, dimension=PURE_NUMBER, feature="a step width (width)"
        ).metadata,
    )
    facing_offset: FacingOffset = field(
        default_factory=lambda: FacingOffset(0.0),
        metadata=OverTime(
            key="turned",
            profile=FacingOffset,
            dimension=PURE_NUMBER,
            feature="turns against the path",
            needs_steps=True,
        ).metadata,
    )
    facing: PathFacing | None = field(
        default=None,
        metadata=Part(
            key="facing", part=PathFacing, feature="facing by place", needs_steps=True
        ).metadata,
    )
    pushes: tuple[Push, ...] = field(
        default=(),
        metadata=Parts(key="push", part=Push, feature="pushes", needs_steps=True).metadata,
    )
    projectiles: tuple[Projectile, ...] = field(
        default=(),
        metadata=Parts(
            key="projectile", part=Projectile, feature="projectiles", needs_steps=True
        ).metadata,
    )
    pinned_steps: tuple[PinnedStep, ...] = field(
        default=(),
        metadata=Parts(
            key="footstep", part=PinnedStep, feature="pinned footsteps", needs_steps=True
        ).metadata,
    )
    stepping_stones: SteppingStones | None = field(
        default=None,
        metadata=Part(
            key="stones", part=SteppingStones, feature="stepping stones", needs_steps=True
        ).metadata,
    )
    monkey_bars: MonkeyBars | None = field(
        default=None, metadata=Part(key="bars", part=MonkeyBars, feature="bars").metadata
    )
    forbidden_areas: tuple[ForbiddenArea, ...] = field(
        default=(),
        metadata=Parts(
            key="forbidden", part=ForbiddenArea, feature="forbidden ground", needs_steps=True
        ).metadata,
    )
    hurdles: tuple[Hurdle, ...] = field(
        default=(),
        metadata=Parts(key="hurdle", part=Hurdle, feature="hurdles", needs_steps=True).metadata,
    )
    first_pose: StandingPose | None = field(
        default=None,
        metadata=Part(
            key="first", part=StandingPose, feature="a first pose", needs_steps=True
        ).metadata,
    )
    last_pose: StandingPose | None = field(
        default=None,
        metadata=Part(
            key="last", part=StandingPose, feature="a last pose", needs_steps=True
        ).metadata,
    )
    gaze: GazeTarget | None = field(
        default=None,
        metadata=Part(
            key="look", part=GazeTarget, feature="a gaze target", needs_steps=True
        ).metadata,
    )
    key_poses: tuple[KeyPose, ...] = field(
        default=(),
        metadata=Parts(key="struck", part=KeyPose, feature="key poses", needs_steps=True).metadata,
    )
    mixed_styles: tuple[StyleShare, ...] = field(
        default=(), metadata=StyleShares(key="mixed", feature="mixed styles").metadata
    )
    knobs: Knobs = field(
        default_factory=Knobs,
        metadata=StyleKnobs(key="knobs", feature="a style's knobs").metadata,
    )
    jumps: tuple[Jump, ...] = field(
        default=(),
        metadata=Parts(key="jump", part=Jump, feature="jumps", needs_steps=True).metadata,
    )
    units: TaskUnits = field(default=TaskUnits(), metadata=UnitsOfNumbers(key="units").metadata)
    recipe: Recipe = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.check_fields()
        if self.mass is not None and not self.mass > 0:
            raise TaskError(f"The mass is {self.mass:g} kg; it must be above 0.")
        if self.stride_length is not None and (self.stride_length.values <= 0).any():
            stride = self.units.to_user(float(self.stride_length.values.min()), LENGTH)
            raise TaskError(f"The stride is {stride:g} m; it must be longer than 0.")
        self._check_combination()
        object.__setattr__(
            self, "recipe", Recipe(self.style, self.mixed_styles, self.upper_style, self.knobs)
        )

    def _in_user_units(self, field: Field[Any]) -> Any:
        kind = kind_of(field)
        value = getattr(self, field.name)
        if not isinstance(kind, Number):
            return value
        return kind.in_units(value, 1 / self.units.length, 1 / self.units.time)

    def _check_combination(self) -> None:
        if self.start != "standing":
            if self.monkey_bars is not None:
                raise TaskError(
                    "A clip with bars, at which the body hangs at rest, begins from standing; set "
                    "its start to 'standing'."
                )
            if self.first_pose is not None:
                raise TaskError(
                    "A clip that begins in a given pose begins from standing; set its start to "
                    "'standing'."
                )
        if self.monkey_bars is not None and (conflicts := self.list_step_features()):
            raise TaskError(
                "A character that hangs on bars cannot do anything else; take out the "
                f"{conflicts[0]}, or the bars."
            )
        if self.has_path_facing and self.facing_offset.values.any():
            raise TaskError(
                "The direction that the body faces is given twice: by time, relative to its path, "
                "and by place. Take out one of the two."
            )
        if self.hurdles and self.stepping_stones is not None:
            raise TaskError(
                "Hurdles between stepping stones are not supported; take out the hurdles or the "
                "stones."
            )

    @property
    def begins_at_rest(self) -> bool:
        """Whether the body does not move at the beginning of the clip."""
        return self.start == "standing" or float(self.speed.value_at(0.0)) == 0

    @property
    def has_path_facing(self) -> bool:
        """Whether places of the path set the direction that the body faces."""
        return self.facing is not None and self.facing.has_headings

    @property
    def allowed_ground(self) -> Ground:
        """The ground where feet may stand: missing in forbidden areas."""
        return (
            AllowedGround(self.ground, self.forbidden_areas)
            if self.forbidden_areas
            else self.ground
        )

    @property
    def frames(self) -> int:
        """Number of frames, the first at time 0."""
        return int(round(self.seconds * self.fps)) + 1


def list_changed_fields(task: Task, original: Task) -> tuple[str, ...]:
    """Return the names of the fields that were replaced in a task, without derived ones.

    Fields that `dataclasses.replace` left alone are the same objects, and are not compared.
    """
    return tuple(
        field.name
        for field in fields(Task)
        if field.init and getattr(task, field.name) is not getattr(original, field.name)
    )

"""How tense a falling body is, and how it protects itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RagdollParameters:
    """Tone of a body that falls."""

    # Torque of a joint for each radian from its protective pose [share of its largest torque].
    # Stiffer bodies land stiffly and rebound.
    stiffness: float = 0.35
    # Torque of a joint for each rad/s [share of its largest torque].
    damping: float = 0.05
    # Largest torque that tone gives [share of the joint's largest torque], reached one radian from
    # the protective pose.
    max_tone: float = 0.35
    # Time constant by which tone fades once the trunk lies, or the body has resisted for
    # `max_resisting_time` [s].
    fading_time: float = 0.25
    # Time after which a body that stands becomes limp [s]: stiff joints may balance by chance.
    max_resisting_time: float = 0.5
    # Angle to the upright from which the trunk counts as lying [rad].
    lying_angle: float = 1.1
    # Damping of joints in a body that lies [share of the largest torque for each rad/s]: limbs sink
    # to the ground under their weight, and do not rock to and fro.
    lying_damping: float = 0.012
    # The same once it has lain for `settling_time` [s]. tuned: at 0.012 limbs rocked for 2.7 s
    settled_damping: float = 0.1
    # The same of arms. tuned: arms of a body on its side sank for 3 s at 0.1
    settled_arm_damping: float = 0.02
    settling_time: float = 0.7
    # Tone that lowers the arms of a body that lies to its sides [share of full tone]. tuned:
    # without it, arms that nearly balance on a shoulder stayed up in the air, test_falls.py
    lowering_tone: float = 0.25
    # Friction of joints in a body that has lain for that time [share of the largest torque]. It
    # grows with the square of the time, so that a body which nearly balances does not start to move
    # again. tuned: where it stayed the same, a trunk on stairs tipped over after 3 s, test_falls.py
    settled_friction: float = 0.02
    # Impedance of that friction (MuJoCo's `solimp`). tuned: with MuJoCo's 0.9 to 0.95 it yielded
    # slowly, and an arm or a trunk on stairs sank faster and faster, test_falls.py
    friction_impedance: tuple[float, float, float, float, float] = (0.999, 0.9999, 0.001, 0.5, 2.0)
    # Ratio of frictional to normal impedance of contacts (MuJoCo's `impratio`). tuned: at the 5 of
    # bodies that walk, a body on stairs slid over their edges at 0.1 m/s for seconds, test_falls.py
    impedance_ratio: float = 20.0
    # Friction of links against the ground that stops their rolling and their spin [m]. tuned: trunk
    # and limbs, which are round, rolled to and fro for 3 s, scripts/random_falls.py
    rolling_friction: float = 0.03
    torsional_friction: float = 0.03
    # The protective pose, by eye: people that fall curl up.
    # Flexion of hips and spine [rad].
    hip_flexion: float = 0.7
    spine_flexion: float = 0.35
    # Flexion of knees and elbows [share of their range].
    knee_share: float = 0.4
    elbow_share: float = 0.25
    # Turn of the upper arm from hanging towards where the body falls [rad].
    arm_reach: float = 1.3
    # Time constant [s] and damping ratio of the stops of joints. tuned: with MuJoCo's 0.02 s the
    # neck went 10 degrees beyond its range when the head hit the ground, scripts/random_falls.py
    stop: tuple[float, float] = (0.005, 1.0)


RAGDOLL = RagdollParameters()

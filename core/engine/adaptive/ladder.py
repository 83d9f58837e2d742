"""Ladder of difficulty that the offline optimization climbs down: helper force and ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .evaluation import TrainingStage
from .height_field import GroundKind


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Args:
        helper_limit: largest helper force [N].
        ground_share: share of the heights of grounds that is used.
        variety: share of the ranges of starts, step lengths and turns.
        half_cycles: of each walk, as in `TrainingStage`.
        walks: number of walks of each sample. Tuned: with one on rungs without help, a search chose
            by the torques of those that survived it. Its mean fell in 28 of 50 changes from the
            forward walk to standing, its start in 11.
        max_sigma: largest step size of the search. Tuned: at 0.08 the mean of sidesteps fell
            within nine steps without the help of 1.5 N; without help, four of five samples at
            0.056 fell on ground of 8 cm that the mean walked over, so that they taught nothing
            about it.
        push: largest push, see `TrainingStage` [N].
        survival: share of the walks without a fall that makes a generation good.
    """

    helper_limit: float
    ground_share: float = 1.0
    variety: float = 1.0
    half_cycles: int = 8
    walks: int = 1
    max_sigma: float = 0.12
    push: float = 0.0
    survival: float = 0.4


RUNGS = (
    Rung(80.0, 0.2, 0.2),
    Rung(50.0, 0.2, 0.2),
    Rung(30.0, 0.25, 0.25),
    Rung(20.0, 0.25, 0.25),
    Rung(14.0, 0.25, 0.3),
    Rung(10.0, 0.25, 0.3),
    Rung(7.0, 0.25, 0.3),
    Rung(5.0, 0.25, 0.3),
    Rung(3.5, 0.25, 0.25),
    Rung(2.5, 0.25, 0.25),
    Rung(1.5, 0.25, 0.25, max_sigma=0.05),
    Rung(0.8, 0.25, 0.25, max_sigma=0.05),
    Rung(0.4, 0.25, 0.25, max_sigma=0.05),
    Rung(0.0, 0.25, 0.25, walks=2, max_sigma=0.05, survival=0.6),
    Rung(0.0, 0.4, 0.3, 10, walks=2, max_sigma=0.04, survival=0.6),
    Rung(0.0, 0.55, 0.4, 10, walks=2, max_sigma=0.04, survival=0.6),
    Rung(0.0, 0.7, 0.5, 10, walks=2, max_sigma=0.04, survival=0.6),
    Rung(0.0, 0.85, 0.75, 10, walks=2, max_sigma=0.04, survival=0.6),
    Rung(0.0, 1.0, 1.0, 12, walks=2, max_sigma=0.04, survival=0.6),
    Rung(0.0, 0.4, 0.5, 20, walks=8, max_sigma=0.02, push=150.0, survival=0.7),
    Rung(0.0, 0.5, 0.5, 20, walks=8, max_sigma=0.02, push=200.0, survival=0.7),
    Rung(0.0, 0.6, 0.6, 20, walks=8, max_sigma=0.02, push=200.0, survival=0.7),
    Rung(0.0, 0.7, 0.7, 20, walks=8, max_sigma=0.02, push=250.0, survival=0.7),
    Rung(0.0, 0.85, 0.8, 20, walks=8, max_sigma=0.02, push=300.0, survival=0.7),
    Rung(0.0, 1.0, 1.0, 20, walks=8, max_sigma=0.02, push=350.0, survival=0.7),
)


@dataclass(frozen=True)
class LadderRules:
    """When another rung is taken.

    Args:
        good_generations: surplus of good over other generations for the next rung, so that chance
            takes none.
        bad_generations: surplus of others over good generations for the rung before. Tuned: of
            generations in which nearly all samples fall, the search learns little, and the mean
            unlearned to walk on a plane within ten of them.
        sigma_factor: by which the search widens when a rung is taken.
    """

    good_generations: int = 4
    bad_generations: int = 4
    sigma_factor: float = 1.1


RULES = LadderRules()


@dataclass(frozen=True)
class LadderState:
    """Place on the ladder.

    Args:
        rung: from 0.
        surplus: of good generations over others on this rung, or of others if negative.
    """

    rung: int = 0
    surplus: int = 0

    @property
    def current(self) -> Rung:
        """The rung."""
        return RUNGS[self.rung]

    def make_stage(self, generation: int, grounds: Sequence[GroundKind]) -> TrainingStage:
        """Return the difficulty of a generation.

        Args:
            generation: its number.
            grounds: of the movement, of which generations use as many as walks in turn.
        """
        rung = self.current
        first = generation * rung.walks
        return TrainingStage(
            rung.helper_limit,
            rung.half_cycles,
            tuple(
                grounds[(first + k) % len(grounds)].scale(rung.ground_share)
                for k in range(rung.walks)
            ),
            variety=rung.variety,
            push=rung.push,
        )

    def count(self, survival: float) -> LadderState:
        """Return the state after a generation, of which a share of the samples survived."""
        surplus = self.surplus + (1 if survival >= self.current.survival else -1)
        if surplus >= RULES.good_generations and self.rung + 1 < len(RUNGS):
            return LadderState(self.rung + 1, 0)
        if surplus <= -RULES.bad_generations and self.rung > 0:
            return LadderState(self.rung - 1, 0)
        return replace(self, surplus=surplus)

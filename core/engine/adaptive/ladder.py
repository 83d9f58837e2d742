"""Ladder of difficulty that the offline optimization climbs down: helper force and ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .evaluation import TrainingStage


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Args:
        helper_limit: largest helper force [N].
        field_share: share of the heights of grounds that is used.
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
    """

    helper_limit: float
    field_share: float = 1.0
    variety: float = 1.0
    half_cycles: int = 8
    walks: int = 1
    max_sigma: float = 0.12
    push: float = 0.0


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
    Rung(0.0, 0.25, 0.25, walks=2, max_sigma=0.05),
    Rung(0.0, 0.4, 0.3, 10, walks=2, max_sigma=0.04),
    Rung(0.0, 0.55, 0.4, 10, walks=2, max_sigma=0.04),
    Rung(0.0, 0.7, 0.5, 10, walks=2, max_sigma=0.04),
    Rung(0.0, 0.85, 0.75, 10, walks=2, max_sigma=0.04),
    Rung(0.0, 1.0, 1.0, 12, walks=2, max_sigma=0.04),
    Rung(0.0, 1.0, 1.0, 12, walks=2, max_sigma=0.04, push=150.0),
    Rung(0.0, 1.0, 1.0, 12, walks=2, max_sigma=0.04, push=250.0),
    Rung(0.0, 1.0, 1.0, 12, walks=2, max_sigma=0.04, push=350.0),
)
# Largest heights of grounds, of which the generations use as many as walks in turn [m]
FIELD_HEIGHTS = (0.0, 0.1, 0.05, 0.2)


@dataclass(frozen=True)
class LadderRules:
    """When another rung is taken.

    Args:
        survival: share of the samples without a fall that makes a generation good.
        good_generations: surplus of good over other generations for the next rung, so that chance
            takes none.
        bad_generations: surplus of others over good generations for the rung before. Tuned: of
            generations in which nearly all samples fall, the search learns little, and the mean
            unlearned to walk on a plane within ten of them.
        sigma_factor: by which the search widens when a rung is taken.
    """

    survival: float = 0.4
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

    def make_stage(self, generation: int) -> TrainingStage:
        """Return the difficulty of a generation."""
        rung = self.current
        heights = [
            FIELD_HEIGHTS[(generation * rung.walks + k) % len(FIELD_HEIGHTS)]
            for k in range(rung.walks)
        ]
        return TrainingStage(
            rung.helper_limit,
            rung.half_cycles,
            tuple(round(rung.field_share * height, 4) for height in heights),
            variety=rung.variety,
            push=rung.push,
        )

    def count(self, survival: float) -> LadderState:
        """Return the state after a generation, of which a share of the samples survived."""
        surplus = self.surplus + (1 if survival >= RULES.survival else -1)
        if surplus >= RULES.good_generations and self.rung + 1 < len(RUNGS):
            return LadderState(self.rung + 1, 0)
        if surplus <= -RULES.bad_generations and self.rung > 0:
            return LadderState(self.rung - 1, 0)
        return replace(self, surplus=surplus)

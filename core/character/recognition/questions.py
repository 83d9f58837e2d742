"""Questions to the user about a body whose bones leave its legs, feet or facing in doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ...errors import CharacterError
from .anatomy import MIN_CERTAIN_CONFIDENCE, Anatomy, Finding
from .confidence import row_prefix, side_letter
from .conventions import detect_convention
from .deform_skeleton import extract_deform_skeleton
from .mirror import find_mirrored_bone
from .parts import group_of_part, mirror_part, name_parts
from .recognize import recognize_body
from .skeleton import Skeleton

# Least confidence for a motion without an answer, in scripts. A wrong facing spoils the whole
# motion; of legs and feet the check of the skin reports what is torn.
MIN_ASSUMED_CONFIDENCES = {"stance": 0.55, "sides": 0.4, "legs": 0.4, "feet": 0.4, "facing": 0.55}
# Texts by key, in order: the answer to one may settle the next
QUESTION_TEXTS = {
    "stance": "Does it stand in its rest pose?",
    "sides": "Its legs differ. Which one is correct?",
    "legs": "Are these its legs?",
    "feet": "Are these its feet?",
    "facing": "In which direction does it face?",
}


@dataclass(frozen=True)
class Choice:
    """An answer to a question: its key, one of `CHOICES`, and its text."""

    key: str
    text: str


# `KEEP`, `BOTH` and `ALONG` confirm what was recognized; `HAND` leaves the bones to the user.
CHOICES = {
    choice.key: choice
    for choice in (
        Choice("KEEP", "Yes"),
        Choice("ALONG", "Along the Arrow"),
        Choice("TURN", "The Opposite"),
        Choice("BOTH", "Both"),
        Choice("LEFT", "The Left"),
        Choice("RIGHT", "The Right"),
        Choice("HAND", "No, Choose the Bones"),
    )
}
CHOICES_OF_QUESTION = {
    "stance": ("KEEP",),
    "sides": ("LEFT", "RIGHT", "BOTH", "HAND"),
    "legs": ("KEEP", "HAND"),
    "feet": ("KEEP", "HAND"),
    "facing": ("ALONG", "TURN"),
}


@dataclass(frozen=True)
class Question:
    """A question about a body.

    Args:
        key: one of `QUESTION_TEXTS`.
        reason: doubts that raise it.
        confidence: from 0 to 1 in what was recognized.
    """

    key: str
    reason: str
    confidence: float

    @property
    def text(self) -> str:
        """The question itself."""
        return QUESTION_TEXTS[self.key]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Possible answers."""
        return tuple(CHOICES[key] for key in CHOICES_OF_QUESTION[self.key])


def find_questions(
    findings: Sequence[Finding], is_interactive: bool = True
) -> tuple[Question, ...]:
    """Return the questions about uncertain parts, in order.

    Args:
        is_interactive: whether a user can answer at once; scripts go on with probable parts.
    """
    out = []
    for key in QUESTION_TEXTS:
        min_confidence = MIN_CERTAIN_CONFIDENCE if is_interactive else MIN_ASSUMED_CONFIDENCES[key]
        doubtful = [f for f in findings if f.question == key and f.confidence < min_confidence]
        if doubtful:
            reasons = dict.fromkeys(finding.reason for finding in doubtful)
            out.append(Question(key, "; ".join(reasons), min(f.confidence for f in doubtful)))
    return tuple(out)


def confirm_findings(anatomy: Anatomy, answered: Collection[str]) -> Anatomy:
    """Return an anatomy without the doubts of answered questions.

    Args:
        answered: keys of questions.
    """
    findings = tuple(
        replace(finding, confidence=1.0, reason="confirmed")
        if finding.question in answered
        else finding
        for finding in anatomy.findings
    )
    return replace(anatomy, findings=findings)


def find_answered_parts(skeleton: Skeleton, anatomy: Anatomy, choice: str) -> dict[str, str]:
    """Return the bone of each part of a body after an answer.

    Args:
        anatomy: as indices of the skeleton's bones.
        choice: one of `CHOICES`.

    Raises:
        CharacterError: the choice is unknown, or a bone has no counterpart on the other side.
    """
    if choice not in CHOICES:
        raise CharacterError(f"There is no answer {choice!r}; choose one of {', '.join(CHOICES)}.")
    parts = name_parts(anatomy, skeleton.names)
    if choice in ("LEFT", "RIGHT"):
        return _mirror_legs(skeleton, anatomy, parts, side=1 if choice == "LEFT" else -1)
    if choice != "TURN":
        return parts
    if anatomy.row_count == 1:
        return {mirror_part(part): bone for part, bone in parts.items()}
    body = extract_deform_skeleton(skeleton)
    turned = recognize_body(body, detect_convention(skeleton.names), is_turned=True)
    return name_parts(turned.reindex(body.rig_index), skeleton.names)


def _mirror_legs(
    skeleton: Skeleton, anatomy: Anatomy, parts: dict[str, str], side: int
) -> dict[str, str]:
    """Return the parts with all legs as those of one side are.

    Args:
        side: +1 for the left, -1 for the right.
    """
    midline = [skeleton.names[k] for k in (anatomy.root, *anatomy.trunk)]
    groups = [
        f"{row_prefix(row, anatomy.row_count)}leg.{side_letter(side)}"
        for row in range(anatomy.row_count)
    ]
    model = {part: bone for part, bone in parts.items() if group_of_part(part) in groups}
    replaced = [mirror_part(group) for group in groups]
    kept = {part: bone for part, bone in parts.items() if group_of_part(part) not in replaced}
    mirrored = {
        mirror_part(part): find_mirrored_bone(skeleton, bone, midline)
        for part, bone in model.items()
    }
    return {**kept, **mirrored}

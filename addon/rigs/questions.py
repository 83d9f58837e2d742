"""Questions about an armature that the user answers before a motion is generated."""

from __future__ import annotations

import json

import bpy

from ...core.character.recognition.anatomy import Anatomy, Finding
from ...core.character.recognition.parts import name_parts
from ...core.character.recognition.questions import (
    Question,
    find_answered_parts,
    find_questions,
)
from ...core.character.recognition.reading_parts import read_anatomy
from ...core.character.recognition.skeleton import Skeleton
from ...core.errors import CharacterError, OpenQuestionError
from .armature import read_answers, read_skeleton
from .part_list import fill_parts, refresh_findings, set_parts


def list_open_questions(armature: bpy.types.Object) -> tuple[Question, ...]:
    """Return the questions that the list of parts raises; none before it is filled."""
    rows = armature.footfall.findings
    return find_questions(
        [Finding(row.name, (), row.confidence, row.reason, row.question) for row in rows]
    )


def check_answers(armature_name: str, anatomy: Anatomy, is_interactive: bool) -> None:
    """Check that no doubt is open that may tear the skin or make the body walk backward.

    Args:
        is_interactive: whether a user can answer at once, as in `find_questions`.

    Raises:
        OpenQuestionError: a question is open, which is the message.
    """
    questions = find_questions(anatomy.findings, is_interactive)
    if questions:
        question = questions[0]
        answers = " or ".join(f"*{choice.text}*" for choice in question.choices)
        raise OpenQuestionError(
            f"{armature_name}: {question.text} It is uncertain, because {question.reason}. Answer "
            f"{answers} in the panel Character, or correct the bones there."
        )


def fill_list_if_empty(armature: bpy.types.Object) -> None:
    """Fill the list of parts of an armature on which *Detect* was not used.

    Raises:
        CharacterError: the armature has no legs.
    """
    if not armature.footfall.parts:
        _fill_list(armature, read_skeleton(armature, bpy.context.scene))


def _fill_list(armature: bpy.types.Object, skeleton: Skeleton) -> None:
    fill_parts(armature, read_anatomy(skeleton), list(skeleton.names))


def answer_question(armature: bpy.types.Object, key: str, choice: str) -> None:
    """Store an answer on an armature, and put the bones that follow from it into the list.

    Raises:
        CharacterError: the question is not open, or the answer is none of its choices, or a bone
            has no counterpart on the other side. Nothing changes then.
    """
    skeleton = read_skeleton(armature, bpy.context.scene)
    if not armature.footfall.parts:
        _fill_list(armature, skeleton)
    question = next((q for q in list_open_questions(armature) if q.key == key), None)
    if question is None:
        raise CharacterError(f"The question {key!r} is not open for {armature.name!r}.")
    choices = [c.key for c in question.choices]
    if choice not in choices:
        raise CharacterError(
            f"{choice!r} is no answer to {question.text!r}; choose {' or '.join(choices)}."
        )
    if choice == "HAND":
        _show_legs(armature)
        return
    anatomy = read_anatomy(skeleton)
    parts = find_answered_parts(skeleton, anatomy, choice)
    armature.footfall.answers = json.dumps({**read_answers(armature), key: choice})
    if parts == name_parts(anatomy, skeleton.names):
        refresh_findings(armature, skeleton)
    else:
        set_parts(armature, parts, skeleton)


def _show_legs(armature: bpy.types.Object) -> None:
    """Open the rows of all legs in the list."""
    for row in armature.footfall.findings:
        row.shown = row.shown or "leg." in row.name

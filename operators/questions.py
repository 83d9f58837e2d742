"""Answers to questions about the active armature."""

# No `from __future__ import annotations` here: Blender reads the annotations as they are.
import bpy
from bpy.props import StringProperty

from ..addon.overlay.properties import redraw_overlay
from ..addon.rigs.questions import answer_question, fill_list_if_empty, list_open_questions
from ..addon.scene.active import active_armature
from .common import reports_errors


class FOOTFALL_OT_answer(bpy.types.Operator):
    """Answer a question about this character; the answer is kept until Detect or Reset is used"""

    bl_idname = "footfall.answer"
    bl_label = "Answer"
    bl_options = {"REGISTER", "UNDO"}

    question: StringProperty(name="Question", description="Question, such as facing")
    choice: StringProperty(name="Choice", description="Answer to it, such as TURN")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        """Store the answer and the bones that follow from it."""
        answer_question(active_armature(context), self.question, self.choice)
        redraw_overlay()
        return {"FINISHED"}


def show_question(context: bpy.types.Context) -> None:
    """Open a menu with the first open question about the active armature."""
    armature = active_armature(context)
    fill_list_if_empty(armature)
    redraw_overlay()
    question = next(iter(list_open_questions(armature)), None)
    if question is None:
        return

    def draw(menu: bpy.types.Menu, _: bpy.types.Context) -> None:
        for choice in question.choices:
            button = menu.layout.operator("footfall.answer", text=choice.text)
            button.question = question.key
            button.choice = choice.key

    context.window_manager.popup_menu(draw, title=question.text, icon="QUESTION")

"""What tools take."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

MOST_TEXT = 100
"""Characters of an argument."""

RunArg = Annotated[str, Field(max_length=MOST_TEXT, description="handle of a run, such as r1")]
Name = Annotated[str, Field(max_length=MOST_TEXT)]

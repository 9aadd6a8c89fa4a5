"""Records of launches of the catalogue, for the tests of the stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from app.core.execution.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject, subject_of, subject_of_draft
from app.core.session.draft import Draft
from app.core.session.session import Session, profile_named
from kernels.base.spec import Problem
from kernels.catalogue import catalogue
from kernels.simt.base.launch import Argument, Keep, LaunchRequest


@cache
def launch_of(variant_id: str, n: int, **parameters: int) -> LaunchIndex:
    """A variant at a size, with its defaults where no parameters are given."""
    variant = catalogue.by_id(variant_id)
    chosen = dict(variant.defaults) | parameters
    subject = subject_of(variant, Problem.square(variant.operation, n), chosen, Session().profile.value)
    record = execute(subject)
    assert isinstance(record, LaunchRecord), record
    return LaunchIndex(subject, record)


def launched(draft: Draft) -> LaunchIndex:
    """The launch of a draft on an H200."""
    subject = subject_of_draft(draft, profile_named("h200"))
    record = execute(subject)
    assert isinstance(record, LaunchRecord), record
    return LaunchIndex(subject, record)


def record_of(text: str, block: int, arguments: Mapping[str, Argument], blocks: int = 1, **options: Any) -> LaunchIndex:
    """A few blocks of a text's only kernel."""
    return recorded(text, LaunchRequest((blocks, 1, 1), (block, 1, 1), arguments, **options))


def recorded(text: str, request: LaunchRequest) -> LaunchIndex:
    """A launch of a text's only kernel."""
    subject = Subject(text, None, replace(request, keep=Keep.HISTORY), name="text.cu")
    record = execute(subject)
    assert isinstance(record, LaunchRecord), record
    return LaunchIndex(subject, record)

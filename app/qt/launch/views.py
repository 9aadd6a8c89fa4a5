"""Which widget draws which view of a launch. To add a view, write its widget and name it here."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.launch.views import View
from app.qt.launch.global_view import GlobalView
from app.qt.launch.matrices_view import MatricesView
from app.qt.launch.shared_view import SharedView
from app.qt.launch.threads_view import ThreadsView
from app.qt.launch.view import LaunchView

VIEWS: Mapping[View, type[LaunchView]] = {
    View.MATRICES: MatricesView,
    View.THREADS: ThreadsView,
    View.SHARED_MEMORY: SharedView,
    View.GLOBAL_MEMORY: GlobalView,
}

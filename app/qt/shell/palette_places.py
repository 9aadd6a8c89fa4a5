"""All that the command palette finds: commands, pages, settings, rungs, what the features have, help and terms; and where a link leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.core.base.i18n import CHINESE, ENGLISH, LANGUAGES, Translator
from app.core.help.glossary import Entry, glossary
from app.core.help.pages import GLOSSARY, GLOSSARY_TITLE, KEYBOARD, KEYBOARD_TITLE, SETTINGS, TITLE, page_ids, pages
from app.core.results.first_look import AT_MOST_S, first_choice, offered
from app.core.results.labels import DEVICES
from app.core.session.session import Workspace
from app.core.state.written import LESSON, MARK
from app.core.timing.model import TimingPage
from app.core.workbench.links import read_link
from app.core.workbench.shown_states import show_state
from app.core.workbench.window_arguments import LessonPosition
from app.core.workbench.workbench import Workbench
from app.qt.base.commands import Commands, Place, titled
from app.qt.base.feature import Feature
from app.qt.base.system import MOTIONS
from app.qt.shell.command_bar import OPERATIONS
from app.qt.shell.menus import THEME_TITLES, Chosen, WindowChoices
from kernels.analysis.device_profiles import profiles
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Variant
from kernels.base.values import dataclass
from kernels.catalogue import catalogue
from kernels.measure.estimate import duration

if TYPE_CHECKING:
    from app.qt.help.panel import HelpPanel

_ELSEWHERE, _READ = 0.5, 0.2
"""Of a rank, for rungs of an operation that is not shown, and for what is read, not done: less than between two ways to answer, more than
between the lengths of two names."""
_CALLED = {TimingPage.TUNING: "tune"}
"""What a page is called besides its title."""
_LANGUAGES = {ENGLISH: "English 英语 英文", CHINESE: "Simplified Chinese 中文 汉语"}
"""What languages are called besides their own names."""
SETTING, TERM = message("setting"), message("word of the glossary")
SET_NOW = message("setting, chosen now")


@dataclass(frozen=True, slots=True)
class PalettePlaces:
    """All that the palette finds. `go_to_setting` is called with the name of a parameter of the variant on the stage; `of_text` are the
    settings of a text that is edited."""

    workbench: Workbench
    commands: Commands
    choices: WindowChoices
    features: Sequence[Feature]
    go_to_setting: Callable[[str], object]
    choose_rung: Callable[[Variant], object]
    of_text: Callable[[], Sequence[Place]]
    language: str
    chosen: Chosen

    def found(self, help_panel: Callable[[], HelpPanel]) -> tuple[Place, ...]:
        """Commands first, then settings, rungs, what the features have, and the help."""
        of_features = (place for feature in self.features for place in feature.places())
        return (*self._commands(), *self._pages(), *self._first_look(), *self._settings(), *self._rungs(), *of_features, *_help(help_panel))

    def _commands(self) -> Iterator[Place]:
        groups = {**self.commands.menu, message("Time"): self.commands.timeline, message("Views"): self.commands.views}
        for group, commands in groups.items():
            for command in commands:
                yield titled(group, command.title, command.run, next(iter(command.keys), ""), command.also)

    def _pages(self) -> Iterator[Place]:
        """The pages of the times."""
        for page in TimingPage:
            yield titled(message("page of the times"), page.page_title, partial(self._show_page, page), also=_CALLED.get(page, ""))

    def _show_page(self, page: TimingPage) -> None:
        self.workbench.timing.page.value = page
        self.workbench.session.show_workspace(Workspace.TIMING)

    def _first_look(self) -> Iterator[Place]:
        """The measurement that a button of the times offers, where it does."""
        bench = self.workbench
        choice, devices = bench.session.timing.value, bench.devices.value
        if not offered(choice, bench.timing.results, devices):
            return

        def measure() -> None:
            bench.session.timing.value = first_choice(choice, devices)
            bench.session.show_workspace(Workspace.TIMING)
            bench.measure()

        yield titled(message("Measuring"), message("Measure six rungs here, about {duration}", duration=duration(AT_MOST_S)), measure)

    def _settings(self) -> Iterator[Place]:
        session, choices = self.workbench.session, self.choices
        draft = session.draft_editor.shown
        for parameter in session.stage.value.variant.parameters if draft is None or draft.variant_id else ():
            yield titled(SETTING, parameter.title, partial(self.go_to_setting, parameter.name), also=parameter.name)
        yield from self.of_text()
        for language, name in LANGUAGES.items():
            made = _setting(message("Language"), message("{name}", name=name), partial(choices.choose_language, language),
                            now=language == self.language)  # fmt: skip
            yield replace(made, also=_LANGUAGES[language])
        for name, title in THEME_TITLES.items():
            yield _setting(message("Theme"), title, partial(choices.choose_theme, name), now=name == self.chosen.theme)
        for name, title in MOTIONS.items():
            yield _setting(message("Motion"), title, partial(choices.choose_motion, name), now=name == self.chosen.motion)
        for profile in profiles():
            chosen = partial(setattr, session.profile, "value", profile)
            yield _setting(message("Device profile"), message("{name}", name=profile.name), chosen, now=profile == session.profile.value)
        for operation in Operation:
            if catalogue.of(operation):
                go = partial(session.choose_operation, operation)
                yield _setting(message("Operation"), OPERATIONS[operation], go, now=operation is session.operation)

    def _rungs(self) -> Iterator[Place]:
        shown = self.workbench.session.operation
        for operation in Operation:
            for variant in catalogue.of(operation):
                made = titled(_kind(variant), _title(variant), partial(self.choose_rung, variant), also=variant.id)
                yield replace(made, behind=0.0 if operation is shown else _ELSEWHERE)


def _kind(variant: Variant) -> Message:
    return message("{operation}, {device}: rung", operation=OPERATIONS[variant.operation], device=DEVICES[variant.device])


def _title(variant: Variant) -> Message:
    return message("{rung} {title}", rung=variant.rung, title=variant.title)


def of_link(workbench: Workbench, typed: str) -> Place | None:
    """Where a link leads; None for a text that is none."""
    link = typed.strip()
    if not link.startswith(MARK):
        return None
    said = message("Open the lesson of this link") if link.startswith(LESSON) else message("Show the state of this link")
    return titled(message("link"), said, partial(_show_link, workbench, link))


def _show_link(workbench: Workbench, link: str) -> None:
    found = read_link(link) if link.startswith(LESSON) else None
    if isinstance(found, Message):
        workbench.tell(found)
    elif isinstance(found, LessonPosition):
        workbench.lesson_controller.player.open(found.lesson, found.number)
    else:
        show_state(workbench, link, "")


def _setting(title: Message, value: Message, go: Callable[[], object], *, now: bool) -> Place:
    return titled(SET_NOW if now else SETTING, message("{setting}: {value}", setting=title, value=value), go)


def _help(panel: Callable[[], HelpPanel]) -> Iterator[Place]:
    kind = message("Help")
    for page_id in page_ids():
        yield Place(kind, partial(_page_title, page_id), partial(_show_page, panel, page_id), also=page_id, behind=_READ)
    for page_id, title in ((SETTINGS, TITLE), (GLOSSARY, GLOSSARY_TITLE), (KEYBOARD, KEYBOARD_TITLE)):
        yield replace(titled(kind, title, partial(_show_page, panel, page_id)), behind=_READ)
    for section in glossary():
        for entry in section.entries:
            yield Place(TERM, partial(_term, entry), partial(_show_term, panel, entry.term), behind=_READ)


def _page_title(page_id: str, translator: Translator) -> str:
    return next(page.title for page in pages(translator.language) if page.id == page_id)


def _term(entry: Entry, translator: Translator) -> str:
    return entry.named(translator.language)[0]


def _show_page(panel: Callable[[], HelpPanel], page_id: str) -> None:
    panel().show_page(page_id)


def _show_term(panel: Callable[[], HelpPanel], term: str) -> None:
    panel().find_word(term)

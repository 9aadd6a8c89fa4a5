"""The log, reports on errors that nobody caught, and crashes: kept on this machine, readable, without what is in the user's files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.base.files import log
from app.core.base.files.log import LOG, last_lines, log_file, logging_to, without_texts
from app.core.crash_reports import report
from app.core.crash_reports.report import Reports
from app.core.crash_reports.uncaught import CRASHES, Watch, last_words, left_words
from kernels.base.messages import message
from kernels.base.worker_process import NoAnswer, WorkerProcess
from tests.command_line import CommandLine

HOME = Path("/home/ada")


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    return Watch(Reports(tmp_path, tmp_path, str, HOME))


def raised(text: str = "no") -> ValueError:
    """An error with a place."""
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


def test_full_files_of_the_log_are_kept_and_the_oldest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LARGEST", 2000)
    with logging_to(tmp_path):
        for number in range(300):
            LOG.info("line %d", number)
    assert len(list(tmp_path.iterdir())) == 1 + log.OLDER
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < (1 + log.OLDER) * 2000
    assert last_lines(tmp_path, 2)[-1].endswith("line 299")


def test_outside_of_it_nothing_is_logged_and_nothing_is_written_on_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with logging_to(tmp_path):
        LOG.info("within \ud800")
    LOG.info("after")
    assert [line[-13:] for line in last_lines(tmp_path, 9)] == ["within \\ud800"]
    assert capfd.readouterr() == ("", "")


def test_what_nobody_keeps_is_not_on_the_terminal() -> None:
    command = [sys.executable, "-c", "from app.core.base.files.log import LOG; LOG.error('an error')"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_a_place_that_cannot_be_written_holds_nobody_up(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    folder = tmp_path / "file" / "logs"
    with logging_to(folder), last_words(folder):
        LOG.info("nowhere")
    assert last_lines(folder, 5) == []
    assert left_words(folder) == []
    assert capfd.readouterr() == ("", "")


def test_a_refusal_is_logged_without_the_texts_in_it() -> None:
    inner = message("'{text}' is no calculation", text="my secret")
    whole = message("Line {line}: {field} {problem}.", line=3, field="mine", problem=inner)
    assert without_texts(whole) == "Line 3: … '…' is no calculation."


def die(_request: object) -> None:
    os._exit(3)


def test_a_worker_that_dies_is_logged(tmp_path: Path) -> None:
    with logging_to(tmp_path):
        worker = WorkerProcess(die, "tracing")
        with pytest.raises(NoAnswer):
            worker.ask("private", 30)
    (line,) = last_lines(tmp_path, 9)
    assert "worker tracing (process " in line
    assert "private" not in line


def test_a_report_has_what_runs_what_was_before_and_where_it_happened(tmp_path: Path, watch: Watch) -> None:
    with logging_to(tmp_path):
        LOG.info("stage: gpu.tiled")
        found = watch.take(raised(f"no such file: {HOME}/x"))
    assert found is not None
    text = found.path.read_text(encoding="utf-8")
    assert text == found.text
    for part in ("Tilescope ", f"Python {sys.version.split()[0]}", "stage: gpu.tiled", "sent nowhere", "ValueError: no such file: ~/x"):
        assert part in text
    assert str(HOME) not in text
    assert "no such file" not in log_file(tmp_path).read_text(encoding="utf-8")


def test_the_same_error_is_told_once_and_not_too_many(tmp_path: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    error = raised()
    assert watch.take(error) is not None
    assert watch.take(error) is None
    written = [exec_raising(number, watch) for number in range(2 * report.MOST)]
    assert sum(written) == report.MOST - 1
    monkeypatch.setattr(report, "KEPT", 3)
    Watch(Reports(tmp_path, tmp_path, str, HOME)).take(error)
    assert len(list(tmp_path.glob("report-*.txt"))) == 3


def exec_raising(line: int, watch: Watch) -> bool:
    """Whether an error on another line is reported."""
    try:
        eval(compile("\n" * line + "1 / 0", "elsewhere", "eval"))
    except ZeroDivisionError as error:
        return watch.take(error) is not None
    return False


def test_where_the_folder_cannot_be_written_the_report_is_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(report, "gettempdir", lambda: str(tmp_path))
    found = Watch(Reports(tmp_path / "file", tmp_path / "file", str, HOME)).take(raised())
    assert found is not None
    assert found.path.parent == tmp_path


@pytest.fixture
def in_force(watch: Watch) -> Iterator[Watch]:
    with watch.in_force():
        yield watch


def test_errors_of_all_threads_are_taken_and_nothing_is_on_the_terminal(in_force: Watch, capfd: pytest.CaptureFixture[str]) -> None:
    called = []
    in_force.listen(lambda: called.append(threading.current_thread().name))
    thread = threading.Thread(target=lambda: 1 / 0, name="worker")
    thread.start()
    thread.join()
    error = raised()
    sys.excepthook(type(error), error, error.__traceback__)
    assert [("ZeroDivisionError" in each.text, each.crashed) for each in in_force.reports] == [(True, False), (False, False)]
    assert called == ["worker", "MainThread"]
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(called) == 2
    assert capfd.readouterr() == ("", "")


CRASH = """
import faulthandler, sys, time
from pathlib import Path
from app.core.crash_reports.uncaught import last_words
with last_words(Path(sys.argv[1])):
    if sys.argv[2] == "crash":
        faulthandler._sigsegv()
    print("there", flush=True)
    if sys.argv[2] == "stay":
        time.sleep(60)
"""


def process(folder: Path, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", CRASH, str(folder), how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_crash_is_told_at_the_next_start_once(tmp_path: Path, watch: Watch) -> None:
    for how, reports in (("end", 0), ("crash", 1)):
        with process(tmp_path, how) as ended:
            _, said = ended.communicate(timeout=60)
        assert said == "", "nothing on the terminal"
        watch.look_back(tmp_path)
        assert len(watch.reports) == reports
    found = watch.reports[0]
    assert found.crashed
    assert "Segmentation fault" in found.text or "access violation" in found.text
    assert not list(tmp_path.glob("crash-*"))
    watch.look_back(tmp_path)
    assert len(watch.reports) == 1


def test_the_words_of_a_process_that_runs_are_its_own_and_one_killed_left_none(tmp_path: Path) -> None:
    with process(tmp_path, "stay") as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "there\n"
        (file,) = tmp_path.glob("crash-*.txt")
        file.write_text("words", encoding="utf-8")
        assert left_words(tmp_path) == []
        file.write_text("", encoding="utf-8")
        running.kill()
    assert left_words(tmp_path) == []
    assert not list(tmp_path.glob("crash-*"))


def test_of_many_crashes_the_last_are_told(tmp_path: Path, watch: Watch) -> None:
    for number in range(9):
        (tmp_path / f"crash-{number}.txt").write_text(f"Fatal Python error {number}", encoding="utf-8")
    watch.look_back(tmp_path)
    assert len(watch.reports) == CRASHES


def test_the_command_line_says_one_sentence_with_the_files_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object) -> int:
        raise RuntimeError("of ours")

    tilescope = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setattr("app.cli.doctor.perform", fail)
    said = tilescope.refused("doctor", status=70)
    (file,) = (tmp_path / "home" / "data" / "logs").glob("report-*.txt")
    assert str(file) in said
    assert "RuntimeError: of ours" in file.read_text(encoding="utf-8")
    assert time.time() - file.stat().st_mtime < 60

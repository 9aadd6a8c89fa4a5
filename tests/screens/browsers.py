"""Real browsers, driven without further packages: Chromium by its pipe for debuggers, Firefox by Marionette."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
DEADLINE_S = 60.0


class Chromium:
    """Chromium with a profile of its own below `folder`."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        self.requests: list[str] = []
        """Addresses that pages asked for, but those that were opened."""
        self._number, self._session = 0, ""
        ends = [tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe()) for _ in range(2)]
        (inner_in, self._out), (self._in, inner_out) = ends

        def connect() -> None:
            os.dup2(inner_in, 3)
            os.dup2(inner_out, 4)

        self._process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
             "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={folder / 'chromium'}", "--remote-debugging-pipe"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=connect,
        )  # fmt: skip
        os.close(inner_in)
        os.close(inner_out)
        self._left = b""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self._ask(f"{domain}.enable")

    def size(self, width: int, height: int, *, dark: bool = False, calm: bool = False, touch: bool = False, scale: int = 1) -> None:
        """Be a window of that size and so many pixels to each of it, for somebody who likes it dark, or without motion, or with fingers."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        wished = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce" if calm else "no-preference"}
        self._ask("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in wished.items()])
        self._ask("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.rest()

    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""
        self._ask("Page.navigate", url="about:blank")
        self.requests.clear()
        self._ask("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")
        self.rest()

    def rest(self) -> None:
        """Wait until the page has done what it leaves to its next frames: observers of sizes answer in these."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))")

    def run(self, script: str) -> Any:
        """The value of an expression in the page, of a promise what it becomes."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression holds."""
        _until(self, script)

    def press(self, key: str) -> None:
        """Press a key."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=_CODES.get(key, 0), text=text)

    def move(self, x: float, y: float) -> None:
        """Move the mouse."""
        self._ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def stroke(self, x: float, y: float, across: float) -> None:
        """Stroke the screen with a finger."""
        for kind, way in (("touchStart", 0.0), ("touchMove", across / 2), ("touchMove", across)):
            self._ask("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x + way, "y": y}])
        self._ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def picture(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(DEADLINE_S)
        os.close(self._out)
        os.close(self._in)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        os.write(self._out, json.dumps({"id": self._number, "method": method, "params": parameters, **session}).encode() + b"\0")
        while True:
            said = self._read()
            if said.get("method") == "Network.requestWillBeSent":
                self.requests.append(said["params"]["request"]["url"])
            if said.get("id") == self._number:
                assert "error" not in said, (method, said)
                result: dict[str, Any] = said["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            part = os.read(self._in, 1 << 16)
            assert part, "the browser has ended"
            self._left += part
        text, _, self._left = self._left.partition(b"\0")
        said: dict[str, Any] = json.loads(text)
        return said


_CODES = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, " ": 32, "Escape": 27}


_OWN_STYLE = "toolkit.legacyUserProfileCustomizations.stylesheets"


class Firefox:
    """Firefox with a profile of its own below `folder`."""

    def __init__(self, folder: Path) -> None:
        assert FIREFOX is not None
        profile = folder / "firefox"
        profile.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        own = {"marionette.port": str(port), "browser.aboutwelcome.enabled": "false", _OWN_STYLE: "true"}
        (profile / "user.js").write_text("".join(f'user_pref("{name}", {value});\n' for name, value in own.items()))
        (profile / "chrome").mkdir(exist_ok=True)
        (profile / "chrome" / "userChrome.css").write_text(":root { min-width: 0 !important; }")  # else no window is narrower than 500
        self._process = subprocess.Popen(
            [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1"},
        )  # fmt: skip
        self._number, self._left, self._socket = 0, b"", self._connected(port)
        self._read()
        self._ask("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": False}})

    def _connected(self, port: int) -> socket.socket:
        end = time.monotonic() + DEADLINE_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), DEADLINE_S)
            except OSError:
                assert time.monotonic() < end, "Firefox does not answer"
                time.sleep(0.2)

    def size(self, width: int, height: int) -> None:
        """Be a window whose page has that size."""
        self._ask("WebDriver:SetWindowRect", width=width, height=height)
        frame = self.run("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self._ask("WebDriver:SetWindowRect", width=width + frame[0], height=height + frame[1])

    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""
        self._ask("WebDriver:Navigate", url="about:blank")
        self._ask("WebDriver:Navigate", url=address)

    def run(self, script: str) -> Any:
        """The value of an expression in the page, of a promise what it becomes."""
        text = (
            "const done = arguments[arguments.length - 1], page = window.wrappedJSObject || window;"
            f"{{ const window = page; Promise.resolve({script}).then(done); }}"
        )
        return self._ask("WebDriver:ExecuteAsyncScript", script=text, args=[])["value"]

    def until(self, script: str) -> None:
        """Wait until an expression holds."""
        _until(self, script)

    def picture(self) -> bytes:
        """What the window shows, as PNG."""
        return base64.b64decode(self._ask("WebDriver:TakeScreenshot", full=False)["value"])

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(DEADLINE_S)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        text = json.dumps([0, self._number, method, parameters]).encode()
        self._socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self._read()
        assert error is None, (method, error)
        found: dict[str, Any] = result
        return found

    def _read(self) -> Any:
        while b":" not in self._left:
            self._left += self._socket.recv(1 << 16)
        length, _, rest = self._left.partition(b":")
        while len(rest) < int(length):
            rest += self._socket.recv(1 << 16)
        self._left = rest[int(length) :]
        return json.loads(rest[: int(length)])


def _until(browser: Chromium | Firefox, script: str) -> None:
    end = time.monotonic() + DEADLINE_S
    while not browser.run(script):
        assert time.monotonic() < end, script
        time.sleep(0.02)

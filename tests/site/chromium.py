"""Find Chromium, serve the book on this machine, and watch what a page asks for and complains of."""

import contextlib
import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright):
    """A browser, or RuntimeError with what to install."""
    own = playwright.chromium.executable_path
    path = (
        os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None) or (own if Path(own).exists() else None)
    )
    if path is None:
        raise RuntimeError("No Chromium was found. Install one (Debian: apt install chromium) or set CHROMIUM to its path.")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, args=QUIET + root)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serve(folder, under="/rope/"):
    """The book at a sub-path, as on a project's pages. Gives its address."""

    class Handler(_Quiet):
        def translate_path(self, path):
            return super().translate_path("/" + path.removeprefix(under) if path.startswith(under) else "/nothing-here")

        def send_error(self, code, message=None, explain=None):
            """As hosts of static pages do, the book's own page in place of one that is not there."""
            if code != 404:
                return super().send_error(code, message, explain)
            body = (Path(folder) / "404.html").read_bytes()
            self.send_response(404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{under}"
    finally:
        server.shutdown()


class Watch:
    """What a page asked for from elsewhere, what failed, and what its console said."""

    def __init__(self, page, home):
        self.faults, self.asked = [], []
        page.on("request", lambda r: self.request(r.url, home))
        page.on("requestfailed", lambda r: self.faults.append(f"could not load {r.url}"))
        page.on("response", lambda r: r.status >= 400 and self.faults.append(f"{r.status} for {r.url}"))
        page.on("pageerror", lambda e: self.faults.append(f"script error: {e}"))
        page.on("console", lambda m: m.type in ("error", "warning") and self.faults.append(f"console {m.type}: {m.text}"))

    def request(self, url, home):
        self.asked.append(url)
        if not url.startswith((home, "data:")):
            self.faults.append(f"asked another host: {url}")

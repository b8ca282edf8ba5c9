"""Stands in for the program that starts the game: ``stand_in.py HOW serve --headless --fast --host H --port P``.

HOW is game (our own server), answers (health alone), slow, dies, hangs, stubborn (ends only when killed) or family
(starts a process of its own).
"""

import json
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path


class Healthy(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"jsonrpc": "2.0", "result": {"status": "ok"}, "id": call["id"]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def play(host: str, port: int) -> None:
    from jimbo.serve.balatrobot import Servers

    Servers(host, port, 1, Path()).serve()


def main(how: str, arguments: list[str]) -> None:
    print("arguments:", *arguments, flush=True)
    host, port = (arguments[arguments.index(flag) + 1] for flag in ("--host", "--port"))
    if how == "dies":
        print("Lovely was not found", flush=True)
        sys.exit(3)
    if how == "hangs":
        time.sleep(600)
    if how == "slow":
        time.sleep(0.7)
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if how == "family":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print("child:", child.pid, flush=True)
    if how == "game":
        play(host, int(port))
    else:
        HTTPServer((host, int(port)), Healthy).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

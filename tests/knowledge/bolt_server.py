"""ArcadeDB with Bolt on the loopback: python bolt_server.py FOLDER PORT; it runs until it is ended."""

import signal
import sys

from arcadedb_embedded import create_server

folder, port = sys.argv[1:]
server = create_server(
    f"{folder}/root",
    root_password="playwithdata",
    config={
        "http_port": 0,
        "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "bolt_port": int(port),
        "bolt_host": "127.0.0.1",
        "server_defaultDatabases": "graph[root]",
    },
)
server.start()
signal.sigwait({signal.SIGTERM, signal.SIGINT})
server.stop()

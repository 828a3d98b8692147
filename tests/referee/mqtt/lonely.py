"""Announces a match until it is killed: `python -m tests.referee.mqtt.lonely PORT`."""

from __future__ import annotations

import sys
import threading

from referee.mqtt.announcer import Announcer
from referee.mqtt.broker import Broker
from tests.referee.mqtt.documents import PLAYING

if __name__ == "__main__":
    broker = Broker.of(f"mqtt://127.0.0.1:{sys.argv[1]}/cafe", {})
    Announcer(broker, lambda: PLAYING).start()
    threading.Event().wait()

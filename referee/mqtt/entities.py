"""How Home Assistant finds what is told by itself: MQTT discovery, an entity for each state.

Documented at home-assistant.io, "MQTT": sections "MQTT discovery", "Sensor", "Binary sensor".
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from referee.games.said import Said, say
from referee.mqtt.broker import Broker
from referee.mqtt.states import OUTCOMES
from referee.words import in_language

ONLINE, OFFLINE = "online", "offline"
#: Where Home Assistant looks unless its user has changed it.
DISCOVERY = "homeassistant"


@dataclass(frozen=True, slots=True)
class Entity:
    """One state as Home Assistant shows it; `more` are further fields of its discovery."""

    topic: str
    kind: str
    name: Said
    icon: str
    details: bool = False
    more: dict[str, Any] = field(default_factory=dict)


ENTITIES = (
    Entity("match", "binary_sensor", say("Match"), "mdi:cards", more={"device_class": "running"}),
    Entity("phase", "sensor", say("Phase"), "mdi:format-list-numbered"),
    Entity("turn", "sensor", say("Turn"), "mdi:account-arrow-right"),
    Entity("round", "sensor", say("Round"), "mdi:counter"),
    Entity(
        "timer_end",
        "sensor",
        say("Hourglass ends"),
        "mdi:timer-sand",
        more={"device_class": "timestamp"},
    ),
    Entity(
        "verdict",
        "sensor",
        say("Verdict"),
        "mdi:gavel",
        details=True,
        more={"device_class": "enum", "options": list(OUTCOMES)},
    ),
    Entity("review", "binary_sensor", say("Review"), "mdi:magnify"),
    Entity(
        "trouble",
        "binary_sensor",
        say("Trouble"),
        "mdi:alert",
        details=True,
        more={"device_class": "problem"},
    ),
)


def availability(broker: Broker) -> str:
    """The topic that says whether the referee is there."""
    return f"{broker.prefix}/availability"


def discovery(broker: Broker, language: str) -> dict[str, str]:
    """The retained messages by which Home Assistant finds everything."""
    return {
        f"{DISCOVERY}/{entity.kind}/table_referee_{broker.slug}/{entity.topic}/config": json.dumps(
            _config(entity, broker, language), ensure_ascii=False, sort_keys=True
        )
        for entity in ENTITIES
    }


def _config(entity: Entity, broker: Broker, language: str) -> dict[str, Any]:
    unique = f"table_referee_{broker.slug}_{entity.topic}"
    topic = f"{broker.prefix}/{entity.topic}"
    return {
        "name": in_language(entity.name, language),
        "unique_id": unique,
        "state_topic": topic,
        "icon": entity.icon,
        "availability_topic": availability(broker),
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "device": {
            "identifiers": [f"table_referee_{broker.slug}"],
            "name": f"Table referee {broker.prefix}",
            "manufacturer": "table-referee",
            "model": "Table referee",
            "sw_version": version("table-referee"),
        },
        "origin": {"name": "table-referee", "sw_version": version("table-referee")},
        **({"json_attributes_topic": f"{topic}/details"} if entity.details else {}),
        **entity.more,
    }

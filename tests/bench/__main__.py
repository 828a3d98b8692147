"""Runs the benchmarks: `python -m tests.bench [NAME …] [--json FILE]`."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
from pathlib import Path

import tests.bench
from tests.bench.report import AbsentError, Report
from vision.network import ModelMissingError

#: Every module of this package that measures something; each has `run(report)`.
NAMES = sorted(
    module.name
    for module in pkgutil.iter_modules(tests.bench.__path__)
    if module.name not in ("__main__", "crowd", "dial_scenes", "matching", "report")
)


def main() -> None:
    """Measures, prints a line a figure, and writes all of them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(NAMES)}")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    args = parser.parse_args()
    if unknown := sorted(set(args.names) - set(NAMES)):
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    report = Report()
    for name in args.names or NAMES:
        try:
            importlib.import_module(f"tests.bench.{name}").run(report)
        except (AbsentError, ModelMissingError) as absent:
            report.skipped[name] = str(absent)
            print(f"{name}: skipped, {absent}", flush=True)
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(report.as_json(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

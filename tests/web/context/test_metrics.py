"""Test the metrics, and that the dashboard uses only existing ones."""

import json
import math
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import InvalidStatus

from app import __version__
from app.settings import Settings
from app.store.maintenance.backup import save_backup_time
from app.version import commit_hash
from app.web.context import metrics
from tests.web.conftest import serving
from tests.web.visitors import Visitor, visiting

DASHBOARD = Path(__file__).parents[3] / "deploy" / "grafana-dashboard.json"
ALERTS = DASHBOARD.with_name("alerts.yml")


async def samples(ana: Visitor) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Return the labels and values of every metric, by name."""
    found: dict[str, list[tuple[dict[str, str], float]]] = {}
    for family in text_string_to_metric_families((await ana.http.get("/metrics")).text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((dict(sample.labels), sample.value))
    return found


async def an_evening(ana: Visitor) -> None:
    """Use every feature that is counted."""
    opened = await ana.open()
    desk = await ana.sit(opened["code"])
    await desk.do("ready", ready=True)
    with pytest.raises(InvalidStatus):
        await ana.socket(opened["code"], origin="https://evil.example")


async def test_metrics_include_commit_time_event_loop_lag_and_memory(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "LAG_SECONDS", 0.01)
    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        await an_evening(ana)
        told = await samples(ana)
        assert told["pecking_order_commit_seconds_count"][0][1] >= 2
        assert told["pecking_order_commit_seconds_sum"][0][1] > 0
        assert told["pecking_order_loop_lag_seconds_count"][0][1] > 0
        assert told["process_resident_memory_bytes"][0][1] > 10_000_000
        assert told["pecking_order_build_info"] == [({"version": __version__, "commit": commit_hash()}, 1)]


def queries() -> list[str]:
    dashboard: dict[str, Any] = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


async def test_every_dashboard_query_uses_an_existing_metric(ana: Visitor) -> None:
    await an_evening(ana)
    told = await samples(ana)
    assert len(queries()) > 10
    for query in queries():
        names = re.findall(r"\b(?:pecking_order|process)_\w+", query)
        assert names, query
        labels = {"instance"}  # added by Prometheus
        for name in names:
            assert told.get(name), f"{query}: there is no {name}"
            labels |= told[name][0][0].keys()
        for grouped in re.findall(r"by \(([^)]*)\)", query):
            assert {label.strip() for label in grouped.split(",")} <= labels, query


async def test_the_gauges_show_what_an_alert_needs(settings: Settings) -> None:
    async with serving(settings) as live, visiting(live.base) as come:
        ana = come()
        await ana.open()
        save_backup_time(settings.database_url, datetime(2026, 11, 30, tzinfo=UTC))
        told = {name: values for name, values in (await samples(ana)).items() if name.startswith("pecking_order_")}
        plain = {name.removeprefix("pecking_order_"): values[0][1] for name, values in told.items()}
        assert [plain[name] for name in ("ready", "nodes", "rooms", "rooms_stored")] == [1, 1, 1, 1]
        assert plain["last_backup_timestamp_seconds"] == datetime(2026, 11, 30, tzinfo=UTC).timestamp()
        assert plain["database_bytes"] > 100_000
        assert plain["database_free_bytes"] > plain["oldest_command_seconds"] == 0
        live.app.site.draining = True
        told = await samples(ana)
        assert told["pecking_order_ready"][0][1] == 0
        assert ({"reason": "leaving"}, 1) in told["pecking_order_not_ready"]


@pytest.mark.postgres
async def test_alert_rules_use_existing_metrics_and_are_explained(postgres_url: str) -> None:
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    page = (ALERTS.parents[1] / "docs" / "running.md").read_text(encoding="utf-8")
    async with serving(Settings(database_url=postgres_url)) as live, visiting(live.base) as come:
        told = await samples(come())
    assert math.isnan(told["pecking_order_database_free_bytes"][0][1])  # so that no alert fires
    assert len(rules) == 8
    for rule in rules:
        assert f"*{rule['alert']}*" in page
        assert [name for name in re.findall(r"\b(?:pecking_order|process)_\w+", rule["expr"]) if name not in told] == []


async def test_the_dashboard_shows_every_metric(ana: Visitor) -> None:
    text = (await ana.http.get("/metrics")).text
    families = text_string_to_metric_families(text)
    names = [each.name for each in families if each.name.startswith("pecking_order_")]
    assert len(names) > 10
    assert "_created" not in text
    shown = " ".join(queries())
    assert [name for name in names if not re.search(rf"\b{name}(_|\b)", shown)] == []

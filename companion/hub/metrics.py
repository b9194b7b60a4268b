"""The hub's figures as text for Prometheus (exposition format 0.0.4)."""

from __future__ import annotations

from companion.hub.collector import Collector
from companion.hub.standings import HallReader


def metrics_text(collector: Collector, reader: HallReader) -> str:
    """All figures.

    Raises:
        Unavailable: the database failed.
    """
    figures = collector.figures
    tables = reader.tables()
    rows = [
        ("messages_total", "counter", "Messages that were read.", figures.messages),
        ("events_total", "counter", "Events that were stored.", figures.events),
        ("results_total", "counter", "Results that were stored.", figures.results),
        ("repeated_total", "counter", "Messages that were stored before.", figures.again),
        ("refused_total", "counter", "Messages that were not understood or not allowed.", figures.refused),
        ("resend_requests_total", "counter", "Requests for missing messages.", figures.asked),
        ("database_failures_total", "counter", "Batches that could not be stored.", figures.failures),
        ("waiting", "gauge", "Messages that are not stored yet.", collector.waiting),
        ("broker_connected", "gauge", "1 if the broker is connected.", int(collector.connected)),
        ("tables", "gauge", "Tables that are known.", len(tables)),
        ("tables_online", "gauge", "Tables that are connected.", sum(one.online for one in tables)),
        ("tables_incomplete", "gauge", "Tables that miss messages.", sum(not one.complete for one in tables)),
        *(
            (f"{kind.removeprefix('hall_')}_rows", "gauge", f"Rows of {kind}.", count)
            for kind, count in reader.counts().items()
        ),
    ]
    lines = []
    for name, kind, help_, value in rows:
        full = f"companion_hub_{name}"
        lines += [f"# HELP {full} {help_}", f"# TYPE {full} {kind}", f"{full} {value}"]
    return "\n".join(lines) + "\n"

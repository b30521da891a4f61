"""Charts: the declarative spec with its rows for the browser, a drawn picture for pages without JavaScript."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import vl_convert
from flask import Blueprint, Response, jsonify, request

from agents.artifacts import ChartArtifact
from agents.errors import NotFound
from app.frames.cells import to_cell
from app.web import web

blueprint = Blueprint("charts", __name__)
MOST_ROWS = 5000


@blueprint.get("/c/<conn>/charts/<id:turn>/<artifact:artifact>.json")
def data(conn: str, turn: str, artifact: str) -> Response:
    """``{"spec": …, "rows": [{column: value}, …]}``; ``?chart=bar`` gives another kind for the same rows."""
    chart = _chart(conn, turn, artifact)
    return jsonify(spec=chart.spec, rows=_rows(chart))


@blueprint.get("/c/<conn>/charts/<id:turn>/<artifact:artifact>.svg")
def svg(conn: str, turn: str, artifact: str) -> Response:
    """The chart drawn on the server."""
    chart = _chart(conn, turn, artifact)
    picture = vl_convert.vegalite_to_svg({**chart.spec, "data": {"values": _rows(chart)}}, allowed_base_urls=[])
    return Response(picture, mimetype="image/svg+xml")


def _chart(conn: str, turn_id: str, artifact_id: str) -> ChartArtifact:
    view = web().turns.view(turn_id)
    for artifact in view.artifacts:
        if isinstance(artifact, ChartArtifact) and artifact.id == artifact_id and view.connection == conn:
            kind = request.args.get("chart", artifact.chart)
            return artifact if kind == artifact.chart else web().services.chart(artifact, kind)
    raise NotFound("not_found.chart", "This chart is no longer kept.", "Ask the question again.")


def _rows(chart: ChartArtifact) -> list[dict[str, Any]]:
    table = web().services.frames.open(chart.frame_id).slice(0, MOST_ROWS)
    return [{name: _value(value) for name, value in row.items()} for row in table.to_pylist()]


def _value(value: Any) -> Any:
    """A value that Vega can place on an axis: decimals as numbers, moments as ISO text."""
    return float(value) if isinstance(value, Decimal) else to_cell(value)

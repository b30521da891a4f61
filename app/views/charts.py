"""Charts: the declarative spec with its rows for the browser, a drawn picture for pages without JavaScript."""

from __future__ import annotations

import vl_convert
from flask import Blueprint, Response, jsonify, request

from agents.artifacts import ChartArtifact
from agents.charts import chart_rows
from agents.charts.base import Row
from agents.errors import NotFound
from app.web import web

blueprint = Blueprint("charts", __name__)


@blueprint.get("/c/<conn>/charts/<id:turn>/<artifact:artifact>.json")
def data(conn: str, turn: str, artifact: str) -> Response:
    """``{"spec": …, "rows": [{field: value}, …]}``; ``?chart=bar`` gives another kind for the same rows."""
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


def _rows(chart: ChartArtifact) -> list[Row]:
    frames = web().services.frames
    return chart_rows(chart, frames.meta(chart.frame_id), frames.open(chart.frame_id))

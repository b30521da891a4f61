"""Result sets: one page at a time, and whole as CSV."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from app.views.contexts import FramePage
from app.views.pages import connection_info, shell
from app.views.tables import TableQuery, table_of_frame
from app.web import web

blueprint = Blueprint("frames", __name__)
LONGEST_FILTER = 200


def _query(conn: str, frame: str) -> TableQuery:
    connection_info(conn)
    dom = request.args.get("dom", "")
    return TableQuery(
        connection=conn,
        frame_id=frame,
        offset=max(0, min(request.args.get("offset", 0, type=int), 2**31)),
        sort=request.args.get("sort", ""),
        descending=request.args.get("desc") == "1",
        filter=request.args.get("filter", "")[:LONGEST_FILTER],
        dom=dom if dom.replace("-", "").replace("_", "").isalnum() and len(dom) <= 100 else "",
    )


@blueprint.get("/c/<conn>/frames/<frame:frame>")
def page(conn: str, frame: str) -> str:
    """One page of a result set: the partial for HTMX, a whole page otherwise."""
    table = table_of_frame(web().services.frames, _query(conn, frame))
    if request.headers.get("HX-Request") == "true":
        return render_template("_partials/table_page.html", table=table)
    return render_template("pages/frame.html", page=FramePage(shell("ask", conn), table))


@blueprint.get("/c/<conn>/frames/<frame:frame>.csv")
def csv(conn: str, frame: str) -> Response:
    """All rows, as sorted and filtered."""
    query = _query(conn, frame)
    pieces = web().services.frames.csv(frame, sort=query.order, text=query.filter or None)
    response = Response(pieces, mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{frame[:8]}.csv"'
    return response

"""Results as HTML for notebooks."""

from __future__ import annotations

from base64 import b64encode
from html import escape

_CELL = 'style="padding:2px 8px;text-align:left"'


def html(title: str, headline: str, rows: list[dict[str, str]], figures: list[str]) -> str:
    """A title, a headline, a table, and charts, which are pictures of their own so that no style of a chart changes the page."""
    parts = [f"<p><b>{escape(title)}</b><br>{escape(headline)}</p>"]
    # A row may lack what others have.
    if names := list(dict.fromkeys(name for row in rows for name in row)):
        head = "".join(f"<th {_CELL}>{escape(name)}</th>" for name in names)
        lines = ("".join(f"<td {_CELL}>{escape(_short(row.get(name, '')))}</td>" for name in names) for row in rows)
        parts.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
    for figure in figures:
        data = b64encode(figure.encode()).decode()
        parts.append(f'<img style="max-width:100%" src="data:image/svg+xml;base64,{data}">')
    return "<div>" + "".join(parts) + "</div>"


def _short(cell: str) -> str:
    """A number with at most two decimals; any other text as it is."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    return cell if number.is_integer() else f"{number:.2f}"

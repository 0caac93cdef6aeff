"""Records as Arrow tables."""

import json
from os import PathLike
from typing import TYPE_CHECKING

from . import _lockstep

if TYPE_CHECKING:
    import pyarrow

# Members whose names are backends: as JSON text, because Arrow cannot tell a backend that did not
# disagree from one that disagreed by finding no legal placement.
_BY_BACKEND = ("cycles", "due", "diverged", "notes")
_HEADER = b"lockstep_record"
_END = b"lockstep_end"


def read_record(path: str | PathLike[str]) -> "pyarrow.Table":
    """The decisions of a record, plain or compressed, as a `pyarrow.Table` with a row for each.

    `table.to_pandas()` and `polars.from_arrow(table)` make data frames of it. The columns are the
    members of a line; `cycles`, `due`, `diverged` and `notes`, which have a value for each backend,
    are JSON text. The metadata of the schema holds the header, as `lockstep_record`.
    """
    import pyarrow

    header, *lines = _lockstep.record_lines(path)
    metadata = {_HEADER: header}
    if lines and lines[-1].startswith('{"end"'):
        metadata[_END] = lines.pop()
    rows = [json.loads(line) for line in lines]
    columns = {name: [row.get(name) for row in rows] for row in rows for name in row}
    for name in _BY_BACKEND:
        if name in columns:
            columns[name] = [value and json.dumps(value) for value in columns[name]]
    return pyarrow.table(columns).replace_schema_metadata(metadata)


def write_record(table: "pyarrow.Table", path: str | PathLike[str]) -> bool:
    """Writes a table of `read_record`, or some of its rows, as a record; `.zst` compresses it.

    Returns whether the record is complete. Fails if its decisions do not follow from one another by
    the rules, as `lockstep record verify --rules-only` does.
    """
    metadata = table.schema.metadata or {}
    if _HEADER not in metadata:
        raise _lockstep.Error(
            "the table has no header of a record in its metadata; copy it from the table of"
            " read_record: table.replace_schema_metadata(other.schema.metadata)"
        )
    lines = [metadata[_HEADER].decode()]
    for row in table.to_pylist():
        for name in _BY_BACKEND:
            value = row.pop(name, None)
            if value:
                row[name] = json.loads(value)
        lines.append(json.dumps(row))
    if _END in metadata:
        end = json.loads(metadata[_END])
        if end["end"]["decisions"] != len(table):
            end["end"] |= {"decisions": len(table), "games": len(table["game"].unique())}
        lines.append(json.dumps(end, separators=(",", ":")))
    _lockstep.write_lines(path, lines)
    return _lockstep.verify_record(path)

#!/usr/bin/env python3
"""Reads a record that was converted to Parquet with pandas, DuckDB and Polars, and compares
what each says of it with its JSON lines.

    make parquet
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# Fields of a decision, as they stand in both.
FIELDS = ["rotation", "column", "row", "rows_cleared", "score"]


def lines(path):
    """The decisions of a record."""
    with open(path) as file:
        all_of_them = [json.loads(line) for line in file]
    return all_of_them[1:-1]


def expected(entries):
    """What each program has to say of them."""
    placed = [e["decision"] for e in entries if e["decision"]]
    pieces = {}
    for entry in entries:
        pieces[entry["piece"]] = pieces.get(entry["piece"], 0) + 1
    return {
        "rows": len(entries),
        "games": len({e["game"] for e in entries}),
        "sums": {field: round(sum(p[field] for p in placed), 3) for field in FIELDS},
        "placed": len(placed),
        "pieces": dict(sorted(pieces.items())),
        "cycles": sum(e["cycles"]["sim"] for e in entries),
        "most": max(e["cycles"]["sim"] for e in entries),
        "agreed": sum("diverged" not in e and "due" not in e for e in entries),
        "board": [sum(e["board"][row] for e in entries) for row in range(20)],
        "last": entries[-1]["board"],
    }


def by_pandas(path):
    """The same by pandas, which reads by pyarrow."""
    import numpy
    import pandas

    frame = pandas.read_parquet(path)
    boards = numpy.array(frame["board"].tolist(), dtype="int64")
    return {
        "rows": len(frame),
        "games": int(frame["game"].nunique()),
        "sums": {field: round(float(frame[field].sum()), 3) for field in FIELDS},
        "placed": int(frame["rotation"].count()),
        "pieces": {k: int(n) for k, n in frame["piece"].value_counts().sort_index().items()},
        "cycles": int(frame["cycles_sim"].sum()),
        "most": int(frame["cycles_sim"].max()),
        "agreed": int(frame["agreed"].sum()),
        "board": boards.sum(axis=0).tolist(),
        "last": boards[-1].tolist(),
    }


def by_duckdb(path):
    """The same by DuckDB, in SQL."""
    import duckdb

    connection = duckdb.connect()
    table = f"read_parquet('{path}')"

    def one(what):
        return connection.execute(f"select {what} from {table}").fetchone()

    rows, games, placed, cycles, most, agreed = one(
        "count(*), count(distinct game), count(rotation), sum(cycles_sim), max(cycles_sim),"
        " count(*) filter (agreed)"
    )
    sums = one(", ".join(f'sum("{field}")' for field in FIELDS))
    pieces = connection.execute(
        f"select piece, count(*) from {table} group by piece order by piece"
    ).fetchall()
    board = one(", ".join(f"sum(board[{row + 1}])" for row in range(20)))
    last = connection.execute(
        f'select board from {table} order by game desc, "move" desc limit 1'
    ).fetchone()
    return {
        "rows": rows,
        "games": games,
        "sums": {field: round(float(total), 3) for field, total in zip(FIELDS, sums)},
        "placed": placed,
        "pieces": dict(pieces),
        "cycles": int(cycles),
        "most": most,
        "agreed": agreed,
        "board": [int(total) for total in board],
        "last": list(last[0]),
    }


def by_polars(path):
    """The same by Polars."""
    import polars

    frame = polars.read_parquet(path)
    pieces = frame.group_by("piece").len().sort("piece")
    board = [frame["board"].list.get(row).cast(polars.Int64).sum() for row in range(20)]
    return {
        "rows": frame.height,
        "games": frame["game"].n_unique(),
        "sums": {field: round(float(frame[field].sum()), 3) for field in FIELDS},
        "placed": frame.height - frame["rotation"].null_count(),
        "pieces": dict(pieces.iter_rows()),
        "cycles": frame["cycles_sim"].sum(),
        "most": frame["cycles_sim"].max(),
        "agreed": frame["agreed"].sum(),
        "board": board,
        "last": frame["board"][-1].to_list(),
    }


def header(path):
    """The header that is kept beside the table, as pyarrow reads it."""
    import pyarrow.parquet

    texts = pyarrow.parquet.read_metadata(path).metadata
    return json.loads(texts[b"lockstep.header"]), json.loads(texts[b"lockstep.end"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program")
    parser.add_argument("--packages", required=True, help="where pandas and the others lie")
    arguments = parser.parse_args()
    sys.path.insert(0, str(pathlib.Path(arguments.packages).resolve()))

    def run(*what):
        subprocess.run([arguments.lockstep, *what, "--quiet"], check=True)

    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        record = f"{folder}/games.jsonl.zst"
        plain, table, back = (f"{folder}/{name}" for name in ["a.jsonl", "a.parquet", "b.jsonl"])
        run("play", "--controller", "lowest", "--games", "20", "--record", record)
        run("record", "convert", record, plain)
        run("record", "convert", record, table)
        run("record", "convert", table, back)
        if pathlib.Path(back).read_bytes() != pathlib.Path(plain).read_bytes():
            wrong.append("what comes back from Parquet is another record")
        entries = lines(plain)
        due = expected(entries)
        print(f"{due['rows']:,} decisions of {due['games']} games, {due['placed']:,} placed")
        for name, read in [("pandas", by_pandas), ("duckdb", by_duckdb), ("polars", by_polars)]:
            found = read(table)
            version = sys.modules[name].__version__
            differ = [key for key in due if found.get(key) != due[key]]
            print(f"  {name} {version}: {'as the JSON lines' if not differ else 'DIFFERS'}")
            wrong += [f"{name}, {key}: {found.get(key)}, not {due[key]}" for key in differ]
        head, end = header(table)
        if head["controller"]["name"] != "lowest" or end["end"]["decisions"] != len(entries):
            wrong.append("the header beside the table is another")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

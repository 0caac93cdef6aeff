"""Records as frames."""

import pathlib

import polars
import pyarrow.compute as compute
import pytest

import lockstep

FIXTURES = pathlib.Path(__file__).parents[3] / "fixtures" / "records"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.jsonl*")), ids=lambda path: path.name)
def test_record_is_written_as_it_was_read(path, tmp_path):
    table = lockstep.read_record(path)
    copy = tmp_path / path.name
    lockstep.write_record(table, copy)
    assert lockstep.read_record(copy) == table
    if path.suffix == ".jsonl":
        assert copy.read_bytes() == path.read_bytes()


@pytest.fixture
def played(tmp_path):
    path = tmp_path / "games.jsonl.zst"
    for _ in lockstep.play(["software", "sim"], games=3, max_moves=30, record=path):
        pass
    return path


def test_divergence_is_written_as_it_was_read(tmp_path):
    class Lost:
        def decide(self, position):
            return None

    path, copy = tmp_path / "diverged.jsonl", tmp_path / "copy.jsonl"
    for _ in lockstep.play(["sim", "software", Lost()], games=2, record=path):
        pass
    table = lockstep.read_record(path)
    assert table["diverged"].to_pylist() == ['{"Lost": null}'] * 2
    lockstep.write_record(table, copy)
    assert copy.read_bytes() == path.read_bytes()


def test_record_as_frames(played):
    table = lockstep.read_record(played)
    pandas, frame = table.to_pandas(), polars.from_arrow(table)
    assert len(pandas) == len(frame) == 90 and pandas.game.nunique() == 3
    assert frame["decision"].struct.field("column").max() <= 9
    assert pandas.cycles.str.contains("sim").all()


def test_games_of_a_table_are_a_record(played, tmp_path):
    table = lockstep.read_record(played)
    first = table.filter(compute.equal(table["game"], 1))
    assert lockstep.write_record(first, tmp_path / "first.jsonl")


def test_table_that_breaks_the_rules_raises_the_line(played, tmp_path):
    table = lockstep.read_record(played)
    with pytest.raises(lockstep.Error, match="line 12"):
        lockstep.write_record(table.filter(compute.not_equal(table["move"], 11)), tmp_path / "gap.jsonl")
    with pytest.raises(lockstep.Error, match="no header"):
        lockstep.write_record(table.replace_schema_metadata(None), tmp_path / "head.jsonl")


def test_other_files_raise_the_reason(tmp_path):
    (tmp_path / "other").write_text("{}")
    with pytest.raises(lockstep.Error, match="not a lockstep record"):
        lockstep.read_record(tmp_path / "other")
    with pytest.raises(lockstep.Error, match="No such file"):
        lockstep.read_record(tmp_path / "none")

"""Tries shards on a real HyperQueue, and a board shared by a real labgrid (`make cluster`)."""

import argparse
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLUSTER = [sys.executable, str(ROOT / "host/cluster/cluster.py")]
STRENGTH = "strength --controller dt-10 --board 10x10 --threads 1 --games".split()
SHARDS = 20
LIMIT = 600


def wait(what, holds):
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > LIMIT:
            sys.exit(f"{what}: not within {LIMIT} s")
        time.sleep(0.05)


class Programs(ExitStack):
    """Programs that end with the trial."""

    def start(self, *words, **more):
        child = subprocess.Popen(list(map(str, words)), **more)
        self.callback(child.wait)
        self.callback(child.terminate)
        return child


# In place of `lockstep`: it prints its board, and ends with the number of its shard less one.
STAND_IN = """#!/bin/bash
echo "on $2"
shard=${4%%/*} file=$6
[ -e "$file" ] && exit 9
echo "shard $shard" >"$file"
[ "$shard" = 4 ] && { mkdir "$0.1" || mkdir "$0.2"; } 2>/dev/null && exec sleep 1000
exit $(((shard - 1) % 3))
"""


def tasks(folder):
    """Shards as workers of HyperQueue run them, with a stand-in for `lockstep`."""
    program = folder / "lockstep"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    spec = importlib.util.spec_from_file_location("driver", CLUSTER[1])
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    run = driver.Shards(argparse.Namespace(
        command=["strength", "{board}"], shards=4, out=folder / "whole", lockstep=str(program)))
    port = driver.listen(run, "token").server_address[1]
    environment = os.environ | {"HQ_RESOURCE_VALUES_board": "board-7"}
    log = lambda shard: (run.folder / f"shard-{shard}.log").read_text()
    with Programs() as programs:
        task = lambda shard, token="token": programs.start(
            "bash", "-c", driver.TASK, "shard", "localhost", port, f"{token} {shard}",
            *run.words(shard), env=environment, stderr=subprocess.DEVNULL)
        task(1, "stranger").wait()
        assert not run.reached and not run.finished(), "a stranger is not answered"
        assert [task(shard).wait() for shard in (1, 2, 3)] == [0, 0, 1]
        assert run.finished() == [1, 2], "a difference, status 1, is a result; a failure is none"
        assert [*run.failed] == [3] and run.failed[3][0] == 2
        assert log(1) == log(3) == "on board-7\n" and run.file(2).read_text() == "shard 2\n"
        run.changed.clear()
        with socket.create_connection(("localhost", port)) as cut:
            cut.sendall(b"token 4 host\n0 2 9\nlogshort")
        wait("the end of a result that is cut", run.changed.is_set)
        assert run.finished() == [1, 2] and run.running() == 0
        lost = []
        for number in "12":
            lost.append(task(4))
            wait("a shard that is lost", (folder / f"lockstep.{number}").exists)
        assert lost[0].wait() != 0 and run.running() == 1, "another worker takes over"
        assert task(4).wait() == 0 and lost[1].wait() != 0
        assert run.file(4).read_text() == "shard 4\n" and run.running() == 0
        run.file(4).write_text("kept")
        assert task(4).wait() == 0 and run.file(4).read_text() == "kept", "it is not run again"
    print("tasks: strangers, failures, lost workers and resources are handled")


def shards(lockstep, folder, games):
    """Runs shards on two workers, of which one is killed, and continues an interrupted run."""
    with Programs() as programs:
        server = folder / "server"
        quiet = {"stdout": subprocess.DEVNULL}
        programs.start(*CLUSTER, "server", server, **quiet)
        wait("server", (server / "hq-current/access.json").exists)
        workers = [programs.start(*CLUSTER, "worker", server, "--cpus", 1, **quiet)
                   for _ in range(2)]
        whole, parts = folder / "whole.jsonl", folder / "whole.jsonl.shards"
        run = [*CLUSTER, "run", "--server", server, "--shards", SHARDS, "--out", whole, "--lockstep",
               lockstep, "--host", "localhost", "-q", "--", *STRENGTH, games]
        finished = lambda: len(list(parts.glob("shard-*[0-9]")))
        begun = time.monotonic()
        first = programs.start(*run)
        wait("shards", lambda: finished() >= 2)
        workers[0].send_signal(signal.SIGKILL)
        wait("more shards", lambda: finished() >= 4)
        first.send_signal(signal.SIGINT)
        assert first.wait() == 130, "an interrupted run ends with status 130"
        kept = finished()
        assert kept < SHARDS, "it was interrupted in the middle"
        programs.start(*CLUSTER, "worker", server, "--cpus", 1, **quiet)
        subprocess.run(list(map(str, run)), check=True)
        shared = time.monotonic() - begun
    single = folder / "single.jsonl"
    begun = time.monotonic()
    subprocess.run([lockstep, *STRENGTH, str(games), "--state", single, "-q"], check=True)
    alone = time.monotonic() - begun
    assert whole.read_bytes() == single.read_bytes(), "the shards add up to another run"
    print(f"{SHARDS} shards of {games} games, one worker killed, interrupted after {kept}: equal to "
          f"the single run; {shared:.1f} s on two workers, {alone:.1f} s alone")


def boards(hq, lockstep, folder):
    """Shards on two boards, the resources of a worker, which is killed; another one has none."""
    record, server, whole = folder / "record.jsonl", folder / "server", folder / "whole"
    subprocess.run([lockstep, *"play --backend software --controller lowest --games 20 --max-pieces "
                    "100 --no-explain -q --record".split(), record], check=True)
    with Programs() as programs:
        served = [programs.start(lockstep, "serve", "--listen", "127.0.0.1:0", "-q", text=True,
                                 stdout=subprocess.PIPE) for _ in range(2)]
        names = [board.stdout.readline().strip() for board in served]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        programs.start(hq, "server", "start", "--server-dir", server, **quiet)
        wait("server", (server / "hq-current/access.json").exists)
        work = [hq, "worker", "start", "--server-dir", server, "--cpus", 3]
        with_boards = [*work, "--resource", f"board=[{','.join(names)}]"]
        programs.start(*work, **quiet)
        killed = programs.start(*with_boards, **quiet)
        replay = [lockstep, "replay", str(record), "--jobs", "1", "-q"]
        run = programs.start(
            *CLUSTER, "run", "--server", server, "--shards", SHARDS, "--out", whole, "--lockstep",
            lockstep, "--host", "localhost", "-q", "--resource", "board=1", "--", *replay[1:-1],
            "--backend", "{board}")
        states = lambda: sorted(Path(f"{whole}.shards").glob("shard-*[0-9]"))
        wait("shards", lambda: len(states()) >= 4)
        killed.send_signal(signal.SIGKILL)
        kept = len(states())
        assert kept < SHARDS, "the worker was killed in the middle"
        programs.start(*with_boards, **quiet)
        assert run.wait() == 0, "a board refuses a second shard, which then fails"
        of = [next(name for name in names if name in state.read_text().split("\n", 1)[0])
              for state in states()]
        single = folder / "single"
        subprocess.run([*replay, "--backend", of[0], "--state", single], check=True)
    # A link's counters depend on how long it was open.
    answers = lambda file: [json.loads(line).get("entry", {}).get("answers")
                            for line in file.read_text().splitlines()]
    assert answers(whole) == answers(single), "the shards add up to another run"
    assert set(of) == set(names), of
    print(f"{SHARDS} shards on boards, {of.count(names[0])} on one and {of.count(names[1])} on the "
          f"other, their worker killed after {kept}: answers equal to those of the single run")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def labgrid(lockstep, tools, folder):
    """Two users and one board: refused, queued, and released by a killed run."""
    board, coordinator = free_port(), f"127.0.0.1:{free_port()}"
    client = [sys.executable, str(tools / "labgrid/bin/labgrid-client")]
    (folder / "labgrid-client").write_text("#!/bin/sh\nexec " + " ".join(client) + ' "$@"\n')
    (folder / "labgrid-client").chmod(0o755)
    environment = os.environ | {
        "PYTHONPATH": str(tools / "labgrid"), "LG_COORDINATOR": coordinator,
        "PATH": f"{folder}:{os.environ['PATH']}", "LG_USERNAME": "anna", "LG_HOSTNAME": "desk"}
    export = folder / "exporter.yaml"
    export.write_text("board:\n  NetworkSerialPort: {host: 127.0.0.1, port: %d, protocol: raw}\n"
                      % board)
    ask = lambda *words: subprocess.run([*client, "-p", "demo", *words], env=environment, text=True,
                                        capture_output=True, check=False)
    with Programs() as programs:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment,
                 "cwd": folder}
        tool = lambda name: [sys.executable, str(tools / "labgrid/bin" / name)]
        programs.start(lockstep, "serve", "--listen", f"127.0.0.1:{board}", "-q", **quiet)
        programs.start(*tool("labgrid-coordinator"), "-l", coordinator, **quiet)
        wait("coordinator", lambda: ask("create").returncode == 0)
        programs.start(*tool("labgrid-exporter"), "-c", coordinator, export, **quiet)
        ask("add-match", "*/board/NetworkSerialPort")
        wait("exporter", lambda: "Matching resource" in ask("show").stdout)
        play = [lockstep, "play", "--backend", "software", "--controller", "lowest", "--no-explain"]
        words = {"env": environment, "text": True, "stdout": subprocess.PIPE,
                 "stderr": subprocess.PIPE}
        bert = words | {"env": environment | {"LG_USERNAME": "bert"}}
        long = programs.start(*play, "--games", 100000, "--backend", "labgrid:demo", **words)
        wait("acquired", lambda: "acquired: desk/anna-" in ask("show").stdout)
        short = [*play, "--max-pieces", "5", "--backend"]
        refused = subprocess.run([*short, "labgrid:demo"], check=False, **bert)
        assert refused.returncode == 2 and "in use by desk/anna-" in refused.stderr, refused
        queued = programs.start(*short, "labgrid:demo,wait=200", **bert)
        time.sleep(3)
        long.kill()
        text, error = queued.communicate(timeout=LIMIT)
        assert queued.returncode == 0 and "5 agreed" in text, error
        assert "waiting for labgrid:demo" in error, error
        assert "acquired: None" in ask("show").stdout
    print("labgrid: refused with the holder's name, queued, released by a killed run and at the end")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, type=Path)
    parser.add_argument("--tools", required=True, type=Path, help="folder of hyperqueue and labgrid")
    parser.add_argument("--hq", default=shutil.which("hq"), type=Path, help="the program hq of "
                        "HyperQueue, of the package's version; without it boards are not tried")
    parser.add_argument("--games", type=int, default=10_000)
    args = parser.parse_args()
    lockstep, tools = str(args.lockstep.resolve()), args.tools.resolve()
    os.environ["PYTHONPATH"] = str(tools / "hyperqueue")
    trials = [tasks, lambda folder: shards(lockstep, folder, args.games),
              lambda folder: labgrid(lockstep, tools, folder)]
    if args.hq:
        trials.append(lambda folder: boards(args.hq, lockstep, folder))
    for trial in trials:
        with tempfile.TemporaryDirectory() as folder:
            trial(Path(folder))


if __name__ == "__main__":
    main()

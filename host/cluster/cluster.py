"""Runs the shards of a long command on a cluster of HyperQueue, and joins what they give.

    cluster.py run --server DIR --shards 100 --out whole.jsonl -- strength --games 100000
    cluster.py server DIR       a server, if the cluster has none (`hq server start`)
    cluster.py worker DIR       a worker, if the program `hq` is not installed (`hq worker start`)

Each task of HyperQueue is a shard. It needs bash, the program `lockstep` and the files that the
command reads; its results come back to this program over TCP, so no folder has to be shared.
HyperQueue runs the shards of a lost worker again. An interrupted run leaves the finished shards in
the folder OUT.shards, from which the same command goes on.
"""

import argparse
import json
import os
import secrets
import shutil
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = str(ROOT / "target/release/lockstep")
VERSION = "0.27.0"
INTERRUPTED = 130
# The options that name the file of a shard; of the other commands it is --state.
RECORDED = {"match", "play"}
# Seconds between two joins of the shards that are there.
JOIN_EVERY = 10
# Runs one shard: host, port, greeting, then the command, with {file} for its file, and {NAME} for
# the values of the resource NAME. When the connection ends, so does the command: the run was
# interrupted, or another worker has taken over.
TASK = r"""
exec 3<>"/dev/tcp/$1/$2" || exit 75
echo "$3 $(hostname)" >&3
read -r answer <&3 && [ "$answer" = go ] || exit 0
shift 3
folder=$(mktemp -d) || exit 75
trap 'kill $child $watcher 2>/dev/null; wait $child; rm -rf "$folder"' EXIT
trap 'exit 143' TERM
touch "$folder/file" "$folder/log"
words=("${@//\{file\}/$folder/file}")
for name in "${!HQ_RESOURCE_VALUES_@}"; do
    words=("${words[@]//"{${name#HQ_RESOURCE_VALUES_}}"/${!name}}")
done
rm "$folder/file"
"${words[@]}" >"$folder/log" 2>&1 3>&- &
child=$!
{ read -r _ <&3; kill $$; } &
watcher=$!
wait "$child"
status=$? child=
trap '' TERM
touch "$folder/file"
echo "$status $(wc -c <"$folder/log") $(wc -c <"$folder/file")" >&3
cat "$folder/log" "$folder/file" >&3
read -r _ <&3
[ "$status" -le 1 ]
"""


def fail(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


def hyperqueue():
    """The Python package of HyperQueue."""
    try:
        import hyperqueue
    except ImportError:
        sys.path.append(str(ROOT / ".tools" / "hyperqueue"))
        try:
            import hyperqueue
        except ImportError:
            fail(f"HyperQueue is not there; run `pip install hyperqueue=={VERSION}`, or "
                 "`make cluster` once, which fetches it into .tools/")
    return hyperqueue


def access(server):
    """The file that says how to reach a server."""
    path = Path(server) / "hq-current" / "access.json"
    if not path.is_file():
        fail(f"{path}: there is no server; start one with `hq server start --server-dir {server}` "
             f"or `cluster.py server {server}`")
    return path


def client(package, server):
    """A connection to a server, which must be of the package's version."""
    target = access(server)
    try:
        return package.Client(server)
    except RuntimeError as why:
        # A trace of calls follows the text.
        text = str(why).split("\n\n")[0].replace("\n", " ")
        fail(f"{target}: {text} The package is {package.__file__}; name a server that "
             "runs, or install the package of its version")


class Shards:
    """The shards of a run, and the folder that keeps the finished ones."""

    def __init__(self, args):
        self.command, self.count, self.out = args.command, args.shards, Path(args.out)
        self.lockstep = args.lockstep
        self.here = shutil.which(self.lockstep) or shutil.which(BUILT) or fail(
            f"neither {self.lockstep} nor {BUILT}, which joins the shards, is here; run `make build`")
        self.folder = Path(f"{self.out}.shards")
        self.lock = threading.Lock()
        self.connections = {}
        self.failed = {}
        self.reached = False
        self.changed = threading.Event()
        self.folder.mkdir(parents=True, exist_ok=True)
        about = {"command": self.command, "shards": self.count}
        state = self.folder / "run.json"
        if state.exists():
            if (found := json.loads(state.read_text())) != about:
                fail(f"{self.folder}: it holds shards of another run, {found}; name another --out, "
                     "or delete that folder")
        else:
            state.write_text(json.dumps(about))

    def file(self, shard):
        return self.folder / f"shard-{shard}"

    def finished(self):
        return [shard for shard in range(1, self.count + 1) if self.file(shard).exists()]

    def words(self, shard):
        """The command of a shard on a worker."""
        name, *rest = self.command
        file = ["--resume", "--record", "{file}"] if name in RECORDED else ["--state", "{file}"]
        return [self.lockstep, name, *rest, "--shard", f"{shard}/{self.count}", *file]

    def begin(self, shard, connection):
        """Whether a worker should run a shard; an earlier worker of the same shard is lost."""
        with self.lock:
            self.reached = True
            if (earlier := self.connections.pop(shard, None)) is not None:
                earlier.shutdown(socket.SHUT_RDWR)
            if self.file(shard).exists():
                return False
            self.connections[shard] = connection
            return True

    def end(self, shard, connection, result=None):
        """Keeps the result of a shard; without one, its worker is lost."""
        with self.lock:
            if self.connections.get(shard) is connection:
                del self.connections[shard]
            if result is not None:
                status, host, log, file = result
                (self.folder / f"shard-{shard}.log").write_bytes(log)
                if status > 1:
                    self.failed[shard] = (status, host)
                else:
                    new = self.folder / f".new-{shard}"
                    new.write_bytes(file)
                    new.rename(self.file(shard))
        self.changed.set()

    def running(self):
        with self.lock:
            return len(self.connections)

    def join(self, partial):
        """Joins the finished shards into the file of the run."""
        files = [str(self.file(shard)) for shard in self.finished()]
        words = [self.here, "merge", *files, "--out", str(self.out), "--force", "-q"]
        return subprocess.run(words + ["--partial"] * partial, check=False).returncode == 0


def listen(shards, token):
    """Receives the results of shards, each on a connection of its own."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            # A stranger has not the token.
            greeting = self.rfile.readline(200).decode(errors="replace").split()
            if len(greeting) != 3 or not secrets.compare_digest(greeting[0], token):
                return
            shard, host = int(greeting[1]), greeting[2]
            if not shards.begin(shard, self.connection):
                return
            result = None
            try:
                self.wfile.write(b"go\n")
                sizes = [int(word) for word in self.rfile.readline(100).split()]
                if len(sizes) == 3:
                    log, file = self.rfile.read(sizes[1]), self.rfile.read(sizes[2])
                    if (len(log), len(file)) == tuple(sizes[1:]):
                        result = (sizes[0], host, log, file)
            except OSError:
                pass
            finally:
                shards.end(shard, self.connection, result)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 1024

    server = Server(("", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def resources(package, named):
    """The resources of a task: `board=1` for one board of a worker's."""
    wanted = dict(word.split("=", 1) for word in named)
    cpus = int(wanted.pop("cpus", 1))
    wanted = {name: int(amount) for name, amount in wanted.items()}
    return package.ffi.protocol.ResourceRequest(cpus=cpus, resources=wanted)


def run(args):
    if not args.command:
        fail("no command; write it after --, as in: -- strength --games 1000")
    package = hyperqueue()
    from tqdm import tqdm
    cluster = client(package, args.server)
    shards = Shards(args)
    token = secrets.token_hex(16)
    server = listen(shards, token)
    port = server.server_address[1]
    job = package.Job(name=args.command[0], max_fails=None)
    todo = sorted(set(range(1, args.shards + 1)) - set(shards.finished()))
    for shard in todo:
        job.program(["bash", "-c", TASK, "shard", args.host, str(port), f"{token} {shard}",
                     *shards.words(shard)], cwd="/tmp", stdout=None, stderr=None,
                    resources=resources(package, args.resource), crash_limit=args.crash_limit)
    waiter = None
    if todo:
        submitted = cluster.submit(job).id
        # In a process of its own: the package lets no other thread run while it waits.
        waiter = subprocess.Popen([sys.executable, __file__, "wait", args.server, str(submitted)])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    joined = time.monotonic()
    try:
        with tqdm(total=args.shards, unit="shard", disable=args.quiet) as bar:
            while True:
                bar.n = len(shards.finished())
                bar.set_postfix_str(f"{shards.running()} running")
                if bar.n == args.shards or waiter.poll() is not None:
                    break
                shards.changed.wait(1)
                shards.changed.clear()
                late = time.monotonic() - joined > JOIN_EVERY
                if late and bar.n and args.command[0] not in RECORDED:
                    shards.join(partial=True)
                    joined = time.monotonic()
    except KeyboardInterrupt:
        done = len(shards.finished())
        print(f"interrupted: {done} of {args.shards} shards are kept in {shards.folder}; the same "
              "command continues", file=sys.stderr)
        waiter.kill()
        # The tasks notice that the connection is gone.
        os._exit(INTERRUPTED)
    if waiter is not None:
        waiter.kill()
    for shard, (status, host) in sorted(shards.failed.items()):
        log = shards.folder / f"shard-{shard}.log"
        print(f"shard {shard} failed on {host} with status {status}: see {log}", file=sys.stderr)
    if todo and not shards.reached:
        fail(f"no worker reached {args.host}, port {port}; --host names this machine for the workers")
    if len(shards.finished()) < args.shards:
        fail(f"{args.shards - len(shards.finished())} of {args.shards} shards are missing; the same "
             "command runs them again")
    if not shards.join(partial=False):
        sys.exit(2)
    option = "--resume --record" if args.command[0] in RECORDED else "--state"
    if not args.quiet:
        print(f"{args.out}: {args.shards} shards; its result:\n"
              f"  lockstep {' '.join(args.command)} {option} {args.out}")


def wait(args):
    """Waits for the end of a job."""
    client = hyperqueue().Client(args.folder)
    try:
        client.connection.wait_for_jobs([args.job], lambda _: None)
    except KeyboardInterrupt:
        pass


def serve(args):
    """Runs a server until it is ended."""
    cluster = hyperqueue().LocalCluster(args.folder)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        signal.pause()
    except KeyboardInterrupt:
        cluster.stop()


def work(args):
    """Runs a worker until it is ended.

    The package can start a worker only together with a local server. The worker reads the server's
    address from access.json, which is overwritten with that of the server in the folder.
    """
    package = hyperqueue()
    target = access(args.folder)
    with tempfile.TemporaryDirectory() as own:
        cluster = package.LocalCluster(own)
        shutil.copy(target, Path(own) / "hq-current" / "access.json")
        cluster.start_worker(package.cluster.WorkerConfig(cores=args.cpus))
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            signal.pause()
        except KeyboardInterrupt:
            pass


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    one = commands.add_parser("run", help="run the shards of a command and join them")
    one.add_argument("--server", required=True, metavar="DIR", help="server directory of HyperQueue")
    one.add_argument("--shards", required=True, type=int, metavar="N", help="number of shards")
    one.add_argument("--out", required=True, metavar="FILE", help="state or record of the whole run")
    one.add_argument("--lockstep", default=BUILT, metavar="PATH",
                     help="the program, as workers find it [default: that of this clone]")
    one.add_argument("--host", default=socket.gethostname(), metavar="NAME",
                     help="name of this machine for the workers [default: %(default)s]")
    one.add_argument("--resource", action="append", default=[], metavar="NAME=N",
                     help="what a shard takes of a worker, as cpus=4 or board=1; {NAME} in the "
                     "command stands for the values that it gets")
    one.add_argument("--crash-limit", type=int, default=20, metavar="N",
                     help="workers that may be lost under one shard [default: %(default)s]")
    one.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    one.add_argument("command", nargs=argparse.REMAINDER, help="-- and the command of lockstep")
    one.set_defaults(call=run)
    for name, call, about in [("server", serve, "run a server"), ("wait", wait, "wait for a job"),
                              ("worker", work, "run a worker")]:
        other = commands.add_parser(name, help=about)
        other.add_argument("folder", metavar="DIR", help="server directory of HyperQueue")
        other.set_defaults(call=call)
        if name == "wait":
            other.add_argument("job", type=int, metavar="JOB", help="its number")
    other.add_argument("--cpus", type=int, default=os.cpu_count(), metavar="N")
    args = parser.parse_args()
    if getattr(args, "command", None) and args.command[0] == "--":
        del args.command[0]
    args.call(args)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the pictures of the documents with what the program shows now, from real runs, and fails
if one is stale. With LOCKSTEP_PICTURES set (`make pictures`) it makes the stale ones again; pages of a
browser need chromium for that. A test of the command line runs it.

    python3 tests/pictures.py --lockstep PROGRAM --divergence FOLDER

FOLDER has what a replay wrote of its first divergence: report.html, why/waves.gtkw, and in waves.txt
the path, time and value of each change of its signals.
"""

import argparse
import fcntl
import hashlib
import html
import itertools
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import urllib.request

ROOT = pathlib.Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
MAKES = "LOCKSTEP_PICTURES" in os.environ
# Most bytes of a picture.
MOST = 300_000
# Columns and rows of a character, in pixels.
WIDE, HIGH = 8.4, 17
GROUND, TEXT = "#14161b", "#d8dae0"
# The first 16 colours of a terminal.
COLOURS = ("#14161b #e0565b #6cb26c #d59a3a #5b8def #b37feb #3fb6c6 #b9bdc9 "
           "#6a7080 #ff7b83 #58c886 #f0d264 #7ea6f5 #d3a6ff #6fe0ee #ffffff").split()
PLAIN = (TEXT, GROUND, False, False)


class Terminal:
    """A program on a terminal, and the cells of its screen, each a sign and a style."""

    CODES = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b.|(.)", re.S)

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.row, self.column, self.style = 0, 0, PLAIN
        self.cells = [self.blank() for _ in range(rows)]

    def blank(self):
        return [(" ", PLAIN)] * self.columns

    def run(self, arguments, folder=ROOT, until=None):
        """Runs a program, shows what it writes, and presses q after the text `until`; yields what it
        wrote between two times when it erased the screen below the cursor."""
        main, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", self.rows, self.columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        child = subprocess.Popen(arguments, stdin=terminal, stdout=terminal, stderr=terminal,
                                 cwd=folder, env=environment, start_new_session=True)
        os.close(terminal)
        text = b""
        while True:
            try:
                read = os.read(main, 65536)
            except OSError:
                read = b""
            if not read:
                break
            text += read
            if until and until in text:
                self.write(text.decode())
                yield
                os.write(main, b"q")
                until = None
        child.wait()
        os.close(main)
        for index, part in enumerate(text.decode().split("\x1b[J")):
            self.write("\x1b[J" * (index > 0) + part)
            yield

    def write(self, text):
        for code in self.CODES.finditer(text):
            numbers, letter, sign = code.groups()
            if letter == "m":
                self.set_style([int(number or 0) for number in numbers.split(";")])
            elif letter:
                self.control(letter, [int(n) for n in re.findall(r"\d+", numbers)])
            elif sign == "\r":
                self.column = 0
            elif sign == "\n":
                self.line_feed()
            elif sign:
                if self.column == self.columns:
                    self.column = 0
                    self.line_feed()
                self.cells[self.row][self.column] = (sign, self.style)
                self.column += 1

    def line_feed(self):
        self.row += 1
        if self.row == self.rows:
            self.cells = self.cells[1:] + [self.blank()]
            self.row -= 1

    def control(self, letter, numbers):
        first = numbers[0] if numbers else 0
        if letter == "H":
            row, column = (numbers + [1, 1])[:2]
            self.row, self.column = row - 1, column - 1
        elif letter == "F":
            self.row, self.column = max(self.row - max(first, 1), 0), 0
        elif letter in "JK" or (letter == "h" and first == 1049):
            whole = letter == "h" or first == 2
            start = 0 if whole else self.column
            self.cells[self.row][start:] = self.blank()[start:]
            if letter != "K":
                for row in range(0 if whole else self.row + 1, self.rows):
                    self.cells[row] = self.blank()

    def set_style(self, numbers):
        numbers = iter(numbers)
        text, ground, bold, swapped = self.style
        for number in numbers:
            if number in (38, 48):
                next(numbers)
                colour = COLOURS[next(numbers)]
                text, ground = (colour, ground) if number == 38 else (text, colour)
            elif number in range(30, 38):
                text = COLOURS[number - 30]
            elif number in range(90, 98):
                text = COLOURS[number - 82]
            elif number == 0:
                text, ground, bold, swapped = PLAIN
            elif number in (1, 22):
                bold = number == 1
            elif number in (7, 27):
                swapped = number == 7
            elif number in (39, 49):
                text, ground = (TEXT, ground) if number == 39 else (text, GROUND)
        self.style = text, ground, bold, swapped

    def line(self, row):
        """The SVG of a line: a text for each run of cells with the same style."""
        svg, column, top = "", 0, row * HIGH
        for style, run in itertools.groupby(self.cells[row], key=lambda cell: cell[1]):
            signs = "".join(sign for sign, _ in run)
            text, ground, bold, swapped = style
            if swapped:
                text, ground = ground, text
            if ground != GROUND:
                svg += (f'<rect x="{column * WIDE:.1f}" y="{top}" width="{len(signs) * WIDE:.1f}" '
                        f'height="{HIGH}" fill="{ground}"/>')
            left = column + len(signs) - len(signs.lstrip())
            column += len(signs)
            if signs := signs.strip():
                look = "" if text == TEXT else f' fill="{text}"'
                look += ' font-weight="bold"' if bold else ""
                # Several plain blanks would be drawn as one.
                svg += (f'<text x="{left * WIDE:.1f}" y="{top + 13}" '
                        f'textLength="{len(signs) * WIDE:.1f}"{look}>'
                        + html.escape(signs, quote=False).replace(" ", "\u00a0") + "</text>")
        return svg

    def document(self, body):
        return document(self.columns * WIDE, self.rows * HIGH, body)


class Film:
    """A picture that changes: each part is drawn over the earlier ones from its time on."""

    def __init__(self):
        self.seconds, self.parts, self.lines = 0, [], {}

    def show(self, terminal, seconds):
        """Shows a screen for some time."""
        for row in range(terminal.rows):
            line = terminal.line(row)
            if line != self.lines.get(row, ""):
                self.lines[row] = line
                ground = f'<rect y="{row * HIGH}" width="100%" height="{HIGH}" fill="{GROUND}"/>'
                self.parts.append((self.seconds, ground + line))
        self.seconds += seconds

    def svg(self):
        """All parts, shown over and over."""
        return "".join(
            f'<g>{part}<animate attributeName="visibility" values="hidden;visible" '
            f'keyTimes="0;{at / self.seconds:.4f}" calcMode="discrete" dur="{self.seconds:.1f}s" '
            f'repeatCount="indefinite"/></g>\n' if at else part + "\n" for at, part in self.parts)


def document(width, height, body):
    size = f'width="{width:.0f}" height="{height:.0f}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" {size} '
            f'fill="{TEXT}" font-size="14" '
            f'font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace">\n'
            f'<rect width="100%" height="100%" fill="{GROUND}"/>\n{body}</svg>\n')


def demo(lockstep):
    """Two commands as a terminal shows them, at a pace at which they can be read."""
    terminal, film = Terminal(26, 100), Film()
    for line in (
        "play --backend software --backend sim --backend sim-uart --max-pieces 40 --watch 1",
        "play --backend software --backend sim:fault=well-at-wall --no-explain",
    ):
        terminal.write(f"$ lockstep {line}\r\n")
        film.show(terminal, 1)
        for _ in terminal.run([lockstep, *line.split()]):
            film.show(terminal, 0.2)
        film.seconds += 5
    return terminal.document(film.svg())


def tui(lockstep, folder):
    """The terminal view at the end of a game, with a virtual board."""
    board = subprocess.Popen([lockstep, "serve", "--pty", "board", "--baud=6000000"], cwd=folder,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    board.stdout.readline()
    line = ("play --tui 0 --backend software --backend engine --backend serial:board,start=6000000 "
            "--max-pieces 60")
    terminal = Terminal(24, 96)
    running = terminal.run([lockstep, *line.split()], folder, b"ENDED")
    next(running)
    svg = terminal.document("".join(terminal.line(row) + "\n" for row in range(terminal.rows)))
    for _ in running:
        pass
    board.kill()
    board.wait()
    return svg


def led_wall(lockstep, folder):
    """Every fourth frame of the LED wall; each draws the cells that have another colour."""
    columns, rows = 96, 64
    line = "play --quiet --controller led-tetris --rules own --max-moves 1200 --frames wall"
    subprocess.run([lockstep, *line.split()], cwd=folder, check=True)
    frames = (folder / "wall").read_bytes()
    size, film, shown = columns * rows * 3, Film(), bytes((24, 24, 28)) * columns * rows
    for start in range(0, len(frames), 4 * size):
        frame, parts = frames[start:start + size], {}
        at = lambda cell: frame[3 * cell:3 * cell + 3]
        changed = (c for c in range(columns * rows) if at(c) != shown[3 * c:3 * c + 3])
        # Cells that lie side by side have the same difference to their place in the sequence.
        for _, run in itertools.groupby(enumerate(changed),
                                        lambda c: (c[1] - c[0], c[1] // columns, at(c[1]))):
            cells = [cell for _, cell in run]
            path = f"M{cells[0] % columns} {cells[0] // columns}h{len(cells)}"
            parts[at(cells[0]).hex()] = parts.get(at(cells[0]).hex(), "") + path
        film.parts += [(film.seconds, f'<path stroke="#{c}" d="{d}"/>') for c, d in parts.items()]
        film.seconds += 0.1
        shown = frame
    film.seconds += 3
    gaps = "".join(f"M{x} 0v{rows}" for x in range(columns + 1))
    gaps += "".join(f"M0 {y}h{columns}" for y in range(rows + 1))
    # A cell is the unit, and a row of cells a line along its middle.
    return document(6 * columns, 6 * rows,
                    f'<g transform="scale(6) translate(0 .5)">\n{film.svg()}<path stroke="{GROUND}" '
                    f'stroke-width=".2" transform="translate(0 -.5)" d="{gaps}"/>\n</g>\n')


def waves(folder):
    """The first two groups of signals of a GTKWave file, around its marker."""
    names, groups, top, body = 215, 0, 20, ""
    changes = {}
    for line in (folder / "waves.txt").read_text().splitlines():
        path, time, value = line.split()
        changes.setdefault(path, {})[int(time)] = int(value, 2)
    save = (folder / "why/waves.gtkw").read_text().splitlines()
    marker = next(int(line.split()[1]) for line in save if line.startswith("*"))
    first, last = marker - 160, marker + 190
    x = lambda time: names + 2 * (time - first)
    body += "".join(f'<text x="{x(time)}" y="14" font-size="11">{time} ns</text>\n'
                    for time in range(first, last) if time % 50 == 0)
    for line in save:
        signal = re.fullmatch(r"\+\{(.*)\} (\S*)", line)
        groups += line.startswith("-")
        if groups > 2:
            break
        if not signal:
            if line.startswith("-"):
                top += HIGH
                body += f'<text x="8" y="{top - 3}" font-weight="bold">{line[1:]}</text>\n'
            continue
        top += HIGH
        path = signal[2]
        value_at = lambda time: changes[path][max(at for at in changes[path] if at <= time)]
        # The value just before the marker.
        body += f'<text x="8" y="{top - 3}">{signal[1]} = {value_at(marker - 1)}</text>'
        times = [first, *sorted(at for at in changes[path] if first < at < last), last]
        high, low, middle, drawn, labels = top - 14, top - 2, top - 8, "", ""
        for start, end in zip(times, times[1:]):
            value, left, right = value_at(start), x(start), x(end)
            if not path.endswith("]"):
                drawn += f'{"L" if drawn else "M"}{left} {low if value == 0 else high}H{right}'
                continue
            drawn += (f"M{left} {middle}L{left + 2} {high}H{right - 2}L{right} {middle}"
                      f"L{right - 2} {low}H{left + 2}Z")
            if 7 * len(str(value)) + 6 <= right - left:
                labels += f'<text x="{left + 5}" y="{top - 5}" font-size="11">{value}</text>'
        body += f'<path fill="none" stroke="#58c886" d="{drawn}"/>{labels}\n'
    body += f'<path stroke="#ff7b83" d="M{x(marker)} 18V{top}"/>\n'
    return document(x(last) + 8, top + 8, body)


def stable(picture):
    """A picture without what differs from run to run and from machine to machine: times, rates, bars
    of times, build ids."""
    picture = picture.replace("\u00a0", " ")
    for varies in (r"[▁▂▃▄▅▆▇█]", r"[0-9.]+ +(µs|ms|s)\b", r"[0-9,]+/s", r"build [0-9a-f]{8}",
                   r'textLength="[0-9.]*"', r"\s+"):
        picture = re.sub(varies, " ", picture)
    return picture.replace(" <", "<").replace("> ", ">")


def is_stale(name, picture):
    """Whether a picture is stale; writes it if pictures are to be made."""
    file = PICTURES / name
    old = file.read_text() if file.exists() else ""
    if stable(old) == stable(picture):
        return False
    if MAKES:
        file.write_text(picture)
    return True


def is_page_stale(name, url, size, shown):
    """As `is_stale`, for a page that shows this; beside its picture stands the hash of that."""
    if not is_stale(f"{name}.sha256", hashlib.sha256(shown).hexdigest() + "\n"):
        return False
    if MAKES:
        try:
            with tempfile.TemporaryDirectory() as profile:
                subprocess.run(
                    ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--virtual-time-budget=3000", f"--user-data-dir={profile}", f"--window-size={size}",
                     f"--screenshot={PICTURES / name}.png", url], check=True, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError) as error:
            # Else it would count as fresh.
            (PICTURES / f"{name}.sha256").unlink()
            raise SystemExit(f"error: {name}.png needs chromium: {error}")
    return True


def is_browser_stale(lockstep, folder):
    line = "play --quiet --backend software --backend sim:fault=well-at-wall --no-explain --record game"
    subprocess.run([lockstep, *line.split()], cwd=folder)
    server = subprocess.Popen([lockstep, "view", "game", "--listen", "0"], cwd=folder, text=True,
                              stderr=subprocess.PIPE)
    url = server.stderr.readline().removeprefix("view: ").strip()
    shown = b"".join(urllib.request.urlopen(url + path).read()
                     for path in ("", "page.css", "page.js", "decision/1"))
    stale = is_page_stale("browser", url + "#d1", "900,760", shown)
    server.kill()
    server.wait()
    return stale


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lockstep", required=True, help="the program, with the seeded faults")
    parser.add_argument("--divergence", required=True, type=pathlib.Path, help="see above")
    arguments = parser.parse_args()
    lockstep, divergence = str(pathlib.Path(arguments.lockstep).resolve()), arguments.divergence
    shown, _ = (divergence / "report.html").read_bytes().split(b"<h3>The smallest case")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stale = {
            "report.png": is_page_stale("report", f"file://{divergence}/report.html", "900,800", shown),
            "waves.svg": is_stale("waves.svg", waves(divergence)),
            "demo.svg": is_stale("demo.svg", demo(lockstep)),
            "tui.svg": is_stale("tui.svg", tui(lockstep, folder)),
            "led-wall.svg": is_stale("led-wall.svg", led_wall(lockstep, folder)),
            "browser.png": is_browser_stale(lockstep, folder),
        }
    wrong = [f"docs/pictures/{name} is stale: `make pictures` makes it again"
             for name, is_it in stale.items() if is_it and not MAKES]
    texts = [file.read_text() for file in [ROOT / "README.md", *ROOT.glob("docs/*.md")]]
    for file in PICTURES.iterdir():
        if file.stat().st_size > MOST:
            wrong.append(f"{file}: more than {MOST:,} bytes")
        if file.suffix != ".sha256" and not any(f"pictures/{file.name})" in text for text in texts):
            wrong.append(f"{file} is in no document")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()

"""Checks that the licences of all dependencies allow a release; --write also collects their texts."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

# Those under which a binary may be passed on together with the texts.
ALLOWED = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "MPL-2.0",
           "Unicode-3.0", "Unlicense", "Zlib"}
TEXTS = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|UNLICENSE)", re.I)


def allowed(expression):
    """Whether an SPDX expression can be met; a slash is an old OR, an exception only allows more."""
    words = re.sub(r" WITH [\w.-]+", "", expression).replace("/", " OR ")
    values = {"AND": "and", "OR": "or"}
    known = re.sub(r"[\w.+-]+", lambda word: values.get(word[0], str(word[0] in ALLOWED)), words)
    return bool(re.fullmatch(r"[()\s]*(?:(?:True|False|and|or)[()\s]*)+", known)) and eval(known)


def dependencies():
    """The packages that are not our own."""
    done = subprocess.run(["cargo", "metadata", "--locked", "--format-version", "1"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cargo metadata:\n{done.stderr}")
    packages = [p for p in json.loads(done.stdout)["packages"] if p["source"]]
    return sorted(packages, key=lambda p: (p["name"], p["version"]))


def collected(packages):
    """A line for each package, then the texts, each once."""
    lines, texts = [], {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}: {package['license']}\n")
        for file in sorted(pathlib.Path(package["manifest_path"]).parent.iterdir()):
            if file.is_file() and TEXTS.match(file.name):
                texts.setdefault(file.read_text(errors="replace").strip(), []).append(name)
    parts = [f"\n{'=' * 80}\n{', '.join(dict.fromkeys(names))}\n\n{text}\n" for text, names in texts.items()]
    return "".join(lines + parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=pathlib.Path, help="the file with names, licences and texts")
    arguments = parser.parse_args()
    packages = dependencies()
    wrong = [p for p in packages if not p["license"] or not allowed(p["license"])]
    for package in wrong:
        print(f"{package['name']} {package['version']}: {package['license'] or 'no licence'}")
    if wrong:
        sys.exit("a release may not contain these: choose other crates, or add a licence that permits "
                 "it to tests/licences.py")
    if arguments.write:
        arguments.write.write_text(collected(packages))
    print(f"Licences: {len(packages)} dependencies may be released")


if __name__ == "__main__":
    main()

"""Releases main: checks it, writes the notes, and tags it. Changes nothing if a check fails.

    release.py VERSION [--check COMMAND]

Refuses a version that differs from Cargo.toml or is too low for the changes of the API, uncommitted changes, another
branch, an existing tag, and a failing COMMAND.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "infra/check"))

from breaking import compare

BRANCH = "main"
DOCUMENTS = ("functions/docs-api/openapi.json", "functions/docs-api/asyncapi.json")
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
# Readers of the notes, and the paths that concern them.
READERS = {
    "For clients": ("functions/docs-api/openapi.json", "functions/docs-api/asyncapi.json", "infra/clients/"),
    "For operators": (
        "template.yaml",
        "infra/backup.yaml",
        "infra/canary.yaml",
        "infra/dashboard.yaml",
        "infra/deploy/",
        "infra/files.yaml",
        "infra/front.yaml",
        "infra/parameters/",
        "infra/tools/",
        "infra/waf.yaml",
    ),
}
OTHERS = "Other changes"


class Repository:
    """A git repository."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def read(self, path):
        return (self.root / path).read_text()

    def last(self):
        """Returns the tag of the last release, or `None`."""
        found = self.git("describe", "--tags", "--abbrev=0", "--match", "v*")
        return found and found.strip()

    def documents(self):
        """Yields each API document: the version of the last release, and the current version."""
        for path in DOCUMENTS:
            before = self.git("show", f"{self.last()}:{path}")
            if before is not None:
                yield json.loads(before), json.loads(self.read(path))


def refusals(repository, version):
    """Returns the reasons against this release as sentences."""
    wanted = parsed(version)
    if wanted is None:
        yield f"{version} is not a version of the form x.y.z"
        return
    if (found := workspace_version(repository.read("Cargo.toml"))) != version:
        yield f"Cargo.toml has version {found}: set it to {version}, run make openapi, and commit both"
    for path in DOCUMENTS:
        if (found := json.loads(repository.read(path))["info"]["version"]) != version:
            yield f"{path} has version {found}: run make openapi, and commit it"
    if (branch := (repository.git("branch", "--show-current") or "").strip()) != BRANCH:
        yield f"the branch is {branch or 'none'}, not {BRANCH}"
    if repository.git("status", "--porcelain"):
        yield "there are uncommitted changes: commit or stash them"
    if repository.git("rev-parse", "--verify", "--quiet", f"refs/tags/v{version}"):
        yield f"v{version} is already released"
    if last := repository.last():
        yield from too_low(wanted, last, list(repository.documents()))


def workspace_version(manifest):
    return re.search(r'^version = "(.*)"$', manifest.split("[workspace.package]")[-1], re.M).group(1)


def parsed(version):
    found = VERSION.fullmatch(version)
    return found and tuple(int(number) for number in found.groups())


def too_low(wanted, last, documents):
    """Checks that the version reflects the changes for clients. Before 1.0.0, the minor version counts breaking changes."""
    major, minor, patch = parsed(last[1:])
    breaks = any(compare(old, new) for old, new in documents)
    adds = any(compare(new, old) for old, new in documents)
    if breaks:
        least, why = ((major + 1, 0, 0) if major else (0, minor + 1, 0)), "a change breaks clients"
    elif adds and major:
        least, why = (major, minor + 1, 0), "the API has additions"
    else:
        least, why = (major, minor, patch + 1), "it must be higher"
    if wanted < least:
        yield f"{'.'.join(map(str, wanted))} is too low after {last}: {why}, so it is at least {'.'.join(map(str, least))}"


def notes(repository, version):
    """Returns the changes since the last release, by reader."""
    last = repository.last()
    span = f"{last}..HEAD" if last else "HEAD"
    log = repository.git("log", "--no-merges", "--reverse", "--name-only", "--format=%x00%h%x09%s", span) or ""
    sections = {reader: [] for reader in ("Breaking changes", *READERS, OTHERS)}
    for old, new in repository.documents():
        sections["Breaking changes"] += [f"- {finding}" for finding in compare(old, new)]
    for commit in log.split("\0")[1:]:
        head, *files = [line for line in commit.splitlines() if line]
        commit_id, _, subject = head.partition("\t")
        sections[reader_of(files)].append(f"- {subject} ({commit_id})")
    day = (repository.git("log", "-1", "--format=%cs") or "").strip()
    written = [f"# {version}", f"{day}, after {last}" if last else f"{day}, the first release"]
    written += [f"## {title}\n\n" + "\n".join(lines) for title, lines in sections.items() if lines]
    return "\n\n".join(written) + "\n"


def reader_of(files):
    for reader, theirs in READERS.items():
        if any(file.startswith(theirs) for file in files):
            return reader
    return OTHERS


def release(repository, version, check, target):
    if problems := list(refusals(repository, version)):
        return problems
    head = repository.git("rev-parse", "HEAD")
    if check and subprocess.run(shlex.split(check), cwd=repository.root, check=False).returncode:
        return [f"{check} fails"]
    if repository.git("rev-parse", "HEAD") != head or repository.git("status", "--porcelain"):
        return [f"{check} changed the tree"]
    target.mkdir(parents=True, exist_ok=True)
    file = target / f"v{version}.md"
    file.write_text(notes(repository, version))
    tagged = repository.git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--file", str(file.resolve()))
    return ["git did not create the tag"] if tagged is None else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--check", default="", help="command that must succeed first")
    parser.add_argument("--target", type=pathlib.Path, default=ROOT / "target/release-notes")
    options = parser.parse_args()
    problems = release(Repository(ROOT), options.version, options.check, options.target)
    for problem in problems:
        print(f"not released: {problem}", file=sys.stderr)
    if not problems:
        print((options.target / f"v{options.version}.md").read_text())
        print(f"tagged v{options.version}. Next: git push origin {BRANCH} v{options.version}")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())

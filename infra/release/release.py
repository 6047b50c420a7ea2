"""Releases what lies on main: checks it, writes its notes, and tags it. Nothing changes before all is well.

    release.py VERSION [--check COMMAND]

Refuses a version that is not the one of Cargo.toml, or lower than what clients are due; a dirty tree; another branch; a
tag that is there; and a COMMAND that fails.
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
# Who reads the notes, and the files that tell what is theirs.
READERS = {
    "For clients": ("functions/docs-api/openapi.json", "functions/docs-api/asyncapi.json", "infra/clients/"),
    "For operators": (
        "template.yaml",
        "infra/dashboard.yaml",
        "infra/deploy/",
        "infra/front.yaml",
        "infra/parameters/",
        "infra/tools/",
        "infra/waf.yaml",
    ),
}
OTHERS = "Everything else"


class Repository:
    """What git knows."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def git(self, *arguments):
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def read(self, path):
        return (self.root / path).read_text()

    def last(self):
        """The tag of the last release; None before the first."""
        found = self.git("describe", "--tags", "--abbrev=0", "--match", "v*")
        return found and found.strip()

    def documents(self):
        """Each document of the last release, beside that of now."""
        for path in DOCUMENTS:
            before = self.git("show", f"{self.last()}:{path}")
            if before is not None:
                yield json.loads(before), json.loads(self.read(path))


def refusals(repository, version):
    """Why this version cannot be released, in sentences."""
    wanted = parsed(version)
    if wanted is None:
        yield f"{version} is no version: x.y.z"
        return
    if (said := workspace_version(repository.read("Cargo.toml"))) != version:
        yield f"Cargo.toml has version {said}: set it to {version}, then make openapi, and commit both"
    for path in DOCUMENTS:
        if (said := json.loads(repository.read(path))["info"]["version"]) != version:
            yield f"{path} has version {said}: make openapi, and commit it"
    if (branch := (repository.git("branch", "--show-current") or "").strip()) != BRANCH:
        yield f"this is branch {branch or 'none'}, not {BRANCH}"
    if repository.git("status", "--porcelain"):
        yield "the tree is dirty: commit, or put away, what git status shows"
    if repository.git("rev-parse", "--verify", "--quiet", f"refs/tags/v{version}"):
        yield f"v{version} is released already"
    if last := repository.last():
        yield from too_low(wanted, last, list(repository.documents()))


def workspace_version(manifest):
    return re.search(r'^version = "(.*)"$', manifest.split("[workspace.package]")[-1], re.M).group(1)


def parsed(version):
    found = VERSION.fullmatch(version)
    return found and tuple(int(it) for it in found.groups())


def too_low(wanted, last, documents):
    """A version says what changed for clients. Before 1.0.0 the second number says what the first one does after."""
    major, minor, patch = parsed(last[1:])
    breaks = any(compare(old, new) for old, new in documents)
    adds = any(compare(new, old) for old, new in documents)
    if breaks:
        least, why = ((major + 1, 0, 0) if major else (0, minor + 1, 0)), "clients break"
    elif adds and major:
        least, why = (major, minor + 1, 0), "clients get more"
    else:
        least, why = (major, minor, patch + 1), "it is newer"
    if wanted < least:
        yield f"{'.'.join(map(str, wanted))} is too low after {last}: {why}, so it is at least {'.'.join(map(str, least))}"


def notes(repository, version):
    """What happened since the last release, for those whom it concerns."""
    last = repository.last()
    span = f"{last}..HEAD" if last else "HEAD"
    log = repository.git("log", "--no-merges", "--reverse", "--name-only", "--format=%x00%h%x09%s", span) or ""
    sections = {reader: [] for reader in ("What breaks clients", *READERS, OTHERS)}
    for old, new in repository.documents():
        sections["What breaks clients"] += [f"- {finding}" for finding in compare(old, new)]
    for commit in log.split("\0")[1:]:
        head, *files = [line for line in commit.splitlines() if line]
        commit_id, _, subject = head.partition("\t")
        sections[reader_of(files)].append(f"- {subject} ({commit_id})")
    day = (repository.git("log", "-1", "--format=%cs") or "").strip()
    written = [f"# {version}", f"{day}, after {last or 'nothing: the first release'}"]
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
    return ["git made no tag"] if tagged is None else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--check", default="", help="what must succeed first")
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

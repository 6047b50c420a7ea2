"""Checks the English of the tree: unclear words, long sentences, unnamed closure parameters, and commit subjects.

    english.py           fails if a text breaks a rule that english.txt does not allow there
    english.py --count   prints how often each rule is broken
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ALLOWED = pathlib.Path(__file__).with_name("english.txt")
# Commits up to this one have longer subjects.
SINCE = "7b928073f3fbe04917d3026efeb63cd85bd00ba6"
SUBJECT_MAX_CHARS = 60
SENTENCE_MAX_WORDS = 25
TEXTS = re.compile(r"\.(rs|md|py|sh|ts|js|html|toml|ya?ml|awk)$|(^|/)(Makefile|run)$")
# Generated, or data in other languages.
SKIPPED = re.compile(
    r"^(shared/KEYS\.md|infra/bench/RESULTS\.md|functions/docs-api/|infra/check/(english|test_english)\.py)"
    r"|node_modules|/data/|social-client\.js$|\.min\.js$"
)
# Unclear words, and the plain words to use instead.
WORDS = {
    "somebody|someone else's|whoever|whomever|whom": "name the person: the user, the author, the recipient, the caller",
    "nobody|anybody|everybody": "name the person: no user, any member, all recipients; `None` if there is none",
    "anew": "again",
    "tell|tells|told|telling|untold": "notify, push, report, or return",
    "tally|tallies": "sharded counter, count",
    "vacate|vacates|vacated": "remove",
    "leaver|leavers": "deleted user, former member",
    "mold|molds": "template row",
    r"\d+ at most|\d+ at least": "at most 10, at least 5",
    "not more than|no more than": "at most",
    "those of before|of before": "the previous, the earlier",
    "so that it be|so that they be": "so that it is",
}
FORBIDDEN = [(re.compile(rf"(?<![A-Za-z])({words})(?![A-Za-z])", re.I), plain) for words, plain in WORDS.items()]
CLOSURE = re.compile(r"\|it\|\s*")
# One call or field on the argument, one call of a function with it, or one comparison.
ONE_CALL = re.compile(r"[!&*]*(it(\??\.\w+(::<[^>]*>)?(\([^()]*\))?)*|[\w:.&]+\([&*]?it\))\??([!=<>]=?[\w.:&*\"#-]+)?")


def main(arguments):
    problems = [problem for file in files() for problem in problems_of(file, (ROOT / file).read_text())]
    problems += [("commit", text, plain) for text, plain in long_subjects(subjects())]
    if arguments == ["--count"]:
        counts = collections.Counter(plain for _, _, plain in problems)
        print("\n".join(f"{count:6} {plain}" for plain, count in counts.most_common()))
        return 0
    allowed = {line for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")}
    problems = [problem for problem in problems if problem[1] not in allowed]
    for place, text, plain in problems:
        print(f"{place}: {text}\n    write: {plain}", file=sys.stderr)
    return 1 if problems else 0


def files():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.splitlines() if TEXTS.search(path) and not SKIPPED.search(path) and (ROOT / path).exists()]


def problems_of(file, text):
    """Yields the place, the text and the plain form of each problem of a file."""
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, plain in FORBIDDEN:
            if pattern.search(line.replace("_", " ")):
                yield f"{file}:{number}", line.strip(), plain
    if file.endswith(".rs"):
        yield from unnamed_parameters(file, text)
    for number, sentence in sentences(file, text):
        if len(words := sentence.split()) > SENTENCE_MAX_WORDS:
            plain = f"split the sentence: it has {len(words)} words, at most {SENTENCE_MAX_WORDS} are allowed"
            yield f"{file}:{number}", sentence, plain


def unnamed_parameters(file, text):
    for found in CLOSURE.finditer(text):
        body = body_of(text, found.end())
        if not ONE_CALL.fullmatch(re.sub(r"\s+", "", body)):
            number = text.count("\n", 0, found.start()) + 1
            yield f"{file}:{number}", f"|it| {' '.join(body.split())}", "name the parameter: |post|, |member|"


def body_of(text, begin):
    """Returns the body of a closure: the text up to the comma or bracket that ends it."""
    depth = 0
    for at in range(begin, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and text[at] in ",;"):
            return text[begin:at]
    return text[begin:]


def sentences(file, text):
    """Yields the line and the words of each sentence of a Markdown file, or of the doc comments of Rust."""
    paragraph, begin, code = [], 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        prose = prose_of(file, line)
        code = code ^ prose.startswith("```")
        if prose and not code and not re.match(r"```|#|\||[-*] |\d+\. |<", prose):
            begin = begin if paragraph else number
            paragraph.append(prose)
            continue
        yield from split(" ".join(paragraph), begin)
        paragraph = []
        if prose and not code and not prose.startswith(("```", "#", "<")):
            if prose.startswith("|"):
                for cell in prose.split("|"):
                    yield from split(cell, number)
            else:
                begin, paragraph = number, [re.sub(r"^([-*]|\d+\.) ", "", prose)]


def prose_of(file, line):
    if file.endswith(".md"):
        return line.strip()
    found = re.match(r"\s*//[/!] ?(.*)", line) if file.endswith(".rs") else None
    return found[1].strip() if found else ""


def split(paragraph, number):
    plain = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "]", paragraph))
    for sentence in re.split(r"(?<=[.!?])[)*\"”]*\s+", plain):
        yield number, sentence.strip()


def subjects():
    known = subprocess.run(["git", "cat-file", "-e", f"{SINCE}^{{commit}}"], cwd=ROOT, capture_output=True)
    range_ = [f"{SINCE}..HEAD"] if known.returncode == 0 else ["-1"]
    log = subprocess.run(["git", "log", "--no-merges", "--format=%s", *range_], cwd=ROOT, check=True, capture_output=True, text=True)
    return log.stdout.splitlines()


def long_subjects(subjects):
    for subject in subjects:
        if len(subject) > SUBJECT_MAX_CHARS:
            yield subject, f"a subject of at most {SUBJECT_MAX_CHARS} characters: it has {len(subject)}"
        if ";" in subject:
            yield subject, "a subject without semicolon: two changes are two commits"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

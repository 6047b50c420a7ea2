"""Lists the zips of `make build`, and writes their hashes and SBOM.

    built.py DIRECTORY FUNCTION…

Packs each zip again without timestamps, so that the same code has the same hash. Prints function, zip, size and SHA-256.
Writes the hashes to DIRECTORY/SHA256SUMS, and the crates of all functions to DIRECTORY/sbom.cdx.json.
"""

import hashlib
import json
import pathlib
import subprocess
import sys
import tomllib
import zipfile

import sbom

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORM = "aarch64-unknown-linux-gnu"
# The earliest timestamp of a zip.
NO_TIME = (1980, 1, 1, 0, 0, 0)
EXECUTABLE = 0o100755 << 16
UNIX = 3


def pack(path):
    """Packs a zip again, so that the same files give the same bytes."""
    with zipfile.ZipFile(path) as before:
        files = {name: before.read(name) for name in sorted(before.namelist())}
    with zipfile.ZipFile(path, "w") as after:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, NO_TIME)
            entry.external_attr, entry.create_system = EXECUTABLE, UNIX
            after.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def metadata():
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", PLATFORM]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def main(directory, *functions):
    directory = pathlib.Path(directory)
    zips = {name: directory / name / "bootstrap.zip" for name in functions}
    for path in zips.values():
        pack(path)
    hashes = {name: digest(path) for name, path in zips.items()}
    sizes = {name: path.stat().st_size for name, path in zips.items()}
    print(f"{'function':<24}{'zip':<52}{'bytes':>9}  SHA-256")
    for name, path in zips.items():
        print(f"{name:<24}{str(path):<52}{sizes[name]:>9}  {hashes[name]}")
    lines = [f"{hashes[name]}  {path.relative_to(directory)}\n" for name, path in zips.items()]
    (directory / "SHA256SUMS").write_text("".join(lines))
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    bill = directory / "sbom.cdx.json"
    bill.write_text(json.dumps(sbom.bill(metadata(), lock, hashes), indent=1) + "\n")
    print(f"{len(zips)} functions, {sum(sizes.values()):,} bytes; hashes in {directory / 'SHA256SUMS'}, crates in {bill}")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Writes the SBOM of functions as a CycloneDX 1.6 document. The same Cargo.lock gives the same document."""

import json
import uuid

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://cyclonedx.org/")


def bill(metadata, lock, hashes):
    """Returns the SBOM of functions from `cargo metadata`, Cargo.lock and the hashes of their zips."""
    packages = {it["id"]: it for it in metadata["packages"]}
    needs = {node["id"]: needed(node) for node in metadata["resolve"]["nodes"]}
    roots = {packages[it]["name"]: it for it in metadata["workspace_members"] if packages[it]["name"] in hashes}
    inside = reached(roots.values(), needs)
    checksums = {(it["name"], it["version"]): it.get("checksum") for it in lock["package"]}
    versions = {packages[it]["version"] for it in roots.values()}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "component": {"type": "application", "bom-ref": "social", "name": "social", "version": max(versions, default="0")},
        },
        "components": [component(packages[it], checksums, hashes) for it in inside],
        "dependencies": [{"ref": "social", "dependsOn": [reference(packages[it]) for it in sorted(roots.values())]}]
        + [{"ref": reference(packages[it]), "dependsOn": references(packages, needs[it])} for it in inside],
    }
    number = uuid.uuid5(NAMESPACE, json.dumps(document, sort_keys=True))
    return {**document, "serialNumber": number.urn}


def needed(node):
    """Returns the dependencies of a crate, except those of its tests."""
    return [it["pkg"] for it in node["deps"] if any(kind["kind"] != "dev" for kind in it["dep_kinds"])]


def reached(roots, needs):
    found, waiting = set(), list(roots)
    while waiting:
        if (one := waiting.pop()) not in found:
            found.add(one)
            waiting += needs[one]
    return sorted(found)


def references(packages, ids):
    return sorted({reference(packages[it]) for it in ids})


def reference(package):
    if package["source"] is None:
        return package["name"]
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, checksums, hashes):
    name, version = package["name"], package["version"]
    described = {
        "type": "application" if name in hashes else "library",
        "bom-ref": reference(package),
        "name": name,
        "version": version,
    }
    if package.get("description"):
        described["description"] = " ".join(package["description"].split())
    if checksum := hashes.get(name) if package["source"] is None else checksums.get((name, version)):
        described["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package.get("license"):
        described["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["source"] is not None:
        described["purl"] = reference(package)
    if package.get("repository"):
        described["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return described

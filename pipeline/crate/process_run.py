"""A run as a Process Run Crate 0.5, an extension of RO-Crate 1.1: https://w3id.org/ro/wfrun/process/0.5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from pipeline.crate.files import CONFIGURATION, CrateFile
from pipeline.masking import masked
from pipeline.record.environment import ORCHARD
from pipeline.record.kept import KeptRun
from pipeline.record.sessions import sessions
from pipeline.report.runs import RunProvenance, provenance_of

CONTEXT = ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"]
CRATE = "https://w3id.org/ro/crate/1.1"
PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
NO_LICENCE = "No licence is given"
"""The placeholder for the licence, which a crate must have, if none is given."""

Entity = dict[str, Any]


def process_run_crate(
    run: KeptRun, files: Sequence[CrateFile], tables: CrateFile, about: Entity, agent: Sequence[str]
) -> Entity:
    """The crate of a run as JSON-LD: one action by Orchard, with its inputs and the files that it made.

    tables : the file that describes the tables
    about  : name, description, license (an address, or NO_LICENCE) and date of the crate
    agent  : name of the person who ran it, and optionally their ORCID; empty: nobody is named
    """
    provenance, action, licence = provenance_of(run), f"#run-{run.id}", _licence(about["license"])
    person = _entity(agent[1] if agent[1:] else "#agent", "Person", name=agent[0]) if agent else {}
    who = {"@id": person["@id"]} if person else None
    software, data = list(_software(run, provenance)), list(_data_sets(run.record.identity))
    used = [CONFIGURATION, *(entity["@id"] for entity in data if entity["@type"] == "CreativeWork")]
    created = [quote(file.name) for file in files if file.name != CONFIGURATION]
    graph = [
        _entity("ro-crate-metadata.json", "CreativeWork", conformsTo=_refs(CRATE), about=_refs("./")),
        _entity("./", "Dataset", conformsTo=_refs(PROFILE), **about, author=who)
        | {"license": _refs(licence["@id"]), "mentions": _refs(action)}
        | {"hasPart": _refs(CONFIGURATION, *created, tables.name)},
        _entity(PROFILE, "CreativeWork", name="Process Run Crate", version="0.5"),
        licence,
        _entity(action, "CreateAction", name=about["name"], description=masked(run.record.command) or about["name"])
        | _times(run, provenance)
        | {"actionStatus": "http://schema.org/CompletedActionStatus", "agent": who}
        | {"instrument": _refs(software[0]["@id"]), "object": _refs(*used), "result": _refs(*created)},
        person,
        *software,
        *data,
        *map(_file, (*files, tables)),
    ]
    known = [{name: value for name, value in entity.items() if value is not None} for entity in graph if entity]
    return {"@context": CONTEXT, "@graph": known}


def iso(moment: datetime) -> str:
    """A time in ISO 8601, in seconds of UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _entity(id_: str, kind: str, /, **properties: Any) -> Entity:
    return {"@id": id_, "@type": kind, **properties}


def _refs(*identifiers: str) -> Any:
    return _one_or_all([{"@id": identifier} for identifier in identifiers])


def _one_or_all(values: list[Any]) -> Any:
    """A single value by itself, as RO-Crate recommends."""
    return values[0] if len(values) == 1 else values


def _licence(address: str) -> Entity:
    """The licence at an address, or a note that the run has no licence."""
    if address != NO_LICENCE:
        return _entity(address, "CreativeWork", name=address.rpartition("/")[2])
    advice = "Ask the person who computed the results before you use them."
    return _entity("#no-licence", "CreativeWork", name=NO_LICENCE, description=advice)


def _times(run: KeptRun, provenance: RunProvenance) -> Entity:
    """The start of the first session, if known, and the end of the last."""
    try:
        began = iso(datetime.fromisoformat(sessions(run.record_folder)[0].began))
    except (IndexError, OverflowError, ValueError):
        began = None
    return {"startTime": began, "endTime": iso(provenance.finished)}


def _software(run: KeptRun, provenance: RunProvenance) -> Iterator[Entity]:
    """Orchard, Python and the packages on which numbers may depend, in all versions that made rows."""
    environments = list(provenance.environments.values()) or [run.record.versions]
    versions = {package for environment in environments for package in environment.items()}
    used = sorted(package for package in versions if package[1] != "not installed")
    packages = [_package(name, version) for name, version in used if name != ORCHARD]
    yield _entity(
        "#orchard",
        "SoftwareApplication",
        name="Orchard",
        softwareVersion=", ".join(version for name, version in used if name == ORCHARD) or "unknown",
        identifier=_one_or_all([f"code {digest}" for digest in provenance.code]),
        softwareRequirements=_refs(*(package["@id"] for package in packages)),
    )
    yield from packages


def _package(name: str, version: str) -> Entity:
    kind = "generic" if name == "python" else "pypi"  # package URLs have no kind for Python
    return _entity(f"pkg:{kind}/{name}@{version}", "SoftwareApplication", name=name, softwareVersion=version)


def _data_sets(identity: Any) -> Iterator[Entity]:
    """Each data set of a run's identity, with the fingerprints of its content."""
    meaning = "SHA-256 of the content that a builder can see; the bytes of the file do not matter"
    for name, fingerprints in sorted(dict(_fingerprints(identity)).items()):
        marks = {f"#{quote(name)}-{fingerprint}": fingerprint for fingerprint in fingerprints}
        yield _entity(f"#{quote(name)}", "CreativeWork", name=name, identifier=_refs(*marks))
        for mark, fingerprint in marks.items():
            yield _entity(mark, "PropertyValue", name="fingerprint", description=meaning, value=fingerprint)


def _fingerprints(node: Any) -> Iterator[tuple[str, list[str]]]:
    """Names of data sets and their fingerprints, anywhere in an identity."""
    if isinstance(node, list):
        for below in node:
            yield from _fingerprints(below)
    elif isinstance(node, dict) and {"name", "fingerprints"} <= node.keys():
        yield node["name"], node["fingerprints"]
    elif isinstance(node, dict):
        for key, below in node.items():
            yield from below.items() if key == "data_sets" and isinstance(below, dict) else _fingerprints(below)


def _file(file: CrateFile) -> Entity:
    more = {"encodingFormat": file.media_type, "contentSize": str(file.size), "sha256": file.sha256}
    name = file.name.rpartition("/")[2]
    return _entity(quote(file.name), "File", name=name, description=file.meaning, **more)

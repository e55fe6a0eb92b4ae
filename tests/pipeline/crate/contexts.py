"""What the terms of a crate mean, by the addresses of the contexts that define them, for tests without a network.

RO-Crate 1.1 takes its terms from schema.org, but for those named here; Workflow Run RO-Crate adds digests.
"""

SCHEMA = "http://schema.org/"
OTHERS = {"File": SCHEMA + "MediaObject", "conformsTo": "http://purl.org/dc/terms/conformsTo"}
TERMS = (
    "CreativeWork Dataset CreateAction SoftwareApplication Person PropertyValue "
    "about actionStatus agent author contentSize datePublished description encodingFormat endTime hasPart identifier "
    "instrument license mentions name object result softwareRequirements softwareVersion startTime url value version"
)
CONTEXTS = {
    "https://w3id.org/ro/crate/1.1/context": {"@context": {name: SCHEMA + name for name in TERMS.split()} | OTHERS},
    "https://w3id.org/ro/terms/workflow-run/context": {
        "@context": {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
    },
}

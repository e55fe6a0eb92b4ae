"""The tables of a run as Croissant 1.1, a format for loading data sets: https://docs.mlcommons.org/croissant/."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.crate.files import PARQUET
from pipeline.record.kept import KeptRun
from pipeline.schema import known_tables
from pipeline.summary.record import SummaryRecord

TERMS = (
    "arrayShape citeAs column containedIn equivalentProperty extract field fileObject fileProperty fileSet format "
    "includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "samplingRate separator source subField transform"
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{term: f"cr:{term}" for term in TERMS.split()},
}
TYPES = {"bool": "sc:Boolean", "double": "cr:Float64", "int32": "cr:Int32", "int64": "cr:Int64", "string": "sc:Text"}


def croissant(run: KeptRun, summary: SummaryRecord, about: dict[str, Any]) -> dict[str, Any]:
    """The tables of a run, each a record set with the names, types and meanings of its columns.

    They are read from the schema of a part file, so a plugin's grid is described without its code.

    about : name, description, license and date of the data set
    """
    first = {table: next(iter(parts)) for table, parts in summary.made_from.parts.items() if parts}
    schemas = {table: pq.read_schema(run.folder(table) / name) for table, name in first.items()}
    known = known_tables()
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        **about,
        "version": f"{run.record.identity.get('results_version', 0)}.0.0",
        "distribution": [_files(table) for table in schemas],
        "recordSet": [
            _entity("RecordSet", table, table, known[table].meaning if table in known else "")
            | {"field": [_field(table, field) for field in schema]}
            for table, schema in schemas.items()
        ],
    }


def _entity(kind: str, entity: str, name: str, meaning: str) -> dict[str, Any]:
    return {"@type": f"cr:{kind}", "@id": entity, "name": name, "description": meaning or name}


def _files(table: str) -> dict[str, Any]:
    return _entity("FileSet", f"{table}-files", f"{table}-files", f"part files of the table {table}") | {
        "encodingFormat": [PARQUET, "application/x-parquet"],  # the registered type; the one that mlcroissant knows
        "includes": f"{table}/part-*.parquet",
    }


def _field(table: str, field: pa.Field) -> dict[str, Any]:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    meaning = (field.metadata or {}).get(b"meaning", b"").decode()
    return _entity("Field", f"{table}/{field.name}", field.name, meaning) | {
        "dataType": TYPES[str(kind)],
        "source": {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": field.name}},
    }

"""Notes and tags that people give a run: small files beside its record, each written whole and never rewritten."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline.errors import ConfigError
from pipeline.plain_text import note
from pipeline.storage.atomic import write_atomically
from pipeline.storage.locations import contents, listed, storage_errors
from pipeline.words import counted

FOLDER = "remarks"
"""Below the folder of a run's record. Every note and tag is a file of its own: two commands at a time lose nothing."""
TAG = re.compile(r"tag-(\w[\w.-]{0,39})")
NOTE = re.compile(r"note-(\d{8}T\d{12})-[0-9a-f]{8}\.txt")
TIME = "%Y%m%dT%H%M%S%f"
LONGEST_NOTE = 10_000  # characters


@dataclass(frozen=True)
class Note:
    """A note on a run.

    file    : its name
    written : when it was written
    text    : its content
    """

    file: str
    written: datetime
    text: str

    @property
    def date(self) -> str:
        """When it was written, by this machine's clock."""
        return f"{self.written.astimezone():%Y-%m-%d %H:%M}"


@dataclass(frozen=True)
class Remarks:
    """The notes and tags that people gave a run.

    tags  : in alphabetical order
    notes : the oldest first
    """

    tags: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def note_file(self, number: int) -> str:
        """The file of a note, counted from 1; ConfigError if there is no such note."""
        if not 1 <= number <= len(self.notes):
            existing = f"the run has {counted(len(self.notes), 'note')}" if self.notes else "the run has no notes"
            raise ConfigError(f"there is no note {number}: {existing}")
        return self.notes[number - 1].file

    def tag_file(self, tag: str) -> str:
        """The file of a tag; ConfigError if the run does not have it."""
        if tag not in self.tags:
            existing = f"the tags of the run are {', '.join(self.tags)}" if self.tags else "the run has no tags"
            raise ConfigError(f"there is no tag '{tag}': {existing}")
        return _tag_file(tag)


def remarks(record_folder: Path) -> Remarks:
    """The notes and tags of a run, from the folder of its record; a message names each file that cannot be read."""
    names = listed(record_folder / FOLDER)
    tags = [match[1] for match in map(TAG.fullmatch, names) if match]
    readable = [_read(record_folder / FOLDER / match[0], match[1]) for match in map(NOTE.fullmatch, names) if match]
    return Remarks(tuple(tags), tuple(filter(None, readable)))


def check_note(text: str) -> str:
    """The text of a note without blanks around it; ConfigError if it is empty, too long or not Unicode."""
    result = text.strip()
    if not result or len(result) > LONGEST_NOTE:
        raise ConfigError(f"the note has {len(result):,} characters: expected 1 to {LONGEST_NOTE:,}")
    if any("\ud800" <= character <= "\udfff" for character in result):
        raise ConfigError("the note has bytes that are not UTF-8: expected text")
    return result


def check_tag(tag: str) -> str:
    """The tag; ConfigError if it cannot be one."""
    if not TAG.fullmatch(_tag_file(tag)):
        raise ConfigError(
            f"'{tag}' cannot be a tag: expected up to 40 letters, digits, `_`, `.` and `-`, not beginning with "
            "`.` or `-`"
        )
    return tag


def add_note(record_folder: Path, text: str) -> None:
    """Add a note to a run, whole or not at all."""
    name = f"note-{datetime.now(UTC):{TIME}}-{secrets.token_hex(4)}.txt"
    write_atomically(record_folder / FOLDER / name, check_note(text).encode())


def add_tag(record_folder: Path, tag: str) -> None:
    """Give a run a tag; nothing changes if it has the tag."""
    write_atomically(record_folder / FOLDER / _tag_file(check_tag(tag)), b"")


def remove(record_folder: Path, file: str) -> None:
    """Remove a note or a tag by the name of its file."""
    (record_folder / FOLDER / file).unlink(missing_ok=True)


def _tag_file(tag: str) -> str:
    return f"tag-{tag}"


def _read(path: Path, written: str) -> Note | None:
    unfit: tuple[type[Exception], ...] = (ValueError, *storage_errors())
    try:
        text = contents(path).decode("utf-8", "replace")[:LONGEST_NOTE]
        return Note(path.name, datetime.strptime(written, TIME).replace(tzinfo=UTC), text)
    except unfit as error:
        note(f"left out: {path} cannot be read: {' '.join(str(error).split())}")
        return None

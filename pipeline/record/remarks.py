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
from pipeline.storage.places import contents, listed, storage_errors

__all__ = ["LONGEST_NOTE", "Note", "Remarks", "add_note", "add_tag", "check_note", "check_tag", "remarks", "remove"]

FOLDER = "remarks"
"""Below the notes of a run. Every note and tag is a file of its own: two commands at a time lose nothing."""
TAG = re.compile(r"tag-(\w[\w.-]{0,39})")
NOTE = re.compile(r"note-(\d{8}T\d{12})-[0-9a-f]{8}\.txt")
TIME = "%Y%m%dT%H%M%S%f"
LONGEST_NOTE = 10_000  # characters


@dataclass(frozen=True)
class Note:
    """A note on a run.

    file : its name
    at   : when it was written
    text : what it says
    """

    file: str
    at: datetime
    text: str

    @property
    def date(self) -> str:
        """When it was written, by this machine's clock."""
        return f"{self.at.astimezone():%Y-%m-%d %H:%M}"


@dataclass(frozen=True)
class Remarks:
    """What people say of a run.

    tags  : in the order of the alphabet
    notes : the oldest first
    """

    tags: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def note_file(self, number: int) -> str:
        """The file of a note, counted from 1; ConfigError where there is no such note."""
        if not 1 <= number <= len(self.notes):
            there = f"its notes are 1 to {len(self.notes)}" if self.notes else "it has no notes"
            msg = f"there is no note {number}: {there}"
            raise ConfigError(msg)
        return self.notes[number - 1].file

    def tag_file(self, tag: str) -> str:
        """The file of a tag; ConfigError where the run does not have it."""
        if tag not in self.tags:
            there = f"its tags are {', '.join(self.tags)}" if self.tags else "it has no tags"
            msg = f"there is no tag '{tag}': {there}"
            raise ConfigError(msg)
        return _tag_file(tag)


def remarks(notes: Path) -> Remarks:
    """The notes and tags of a run, from the folder of its own notes; what cannot be read is left out, and named."""
    names = listed(notes / FOLDER)
    tags = [found[1] for found in map(TAG.fullmatch, names) if found]
    written = [_read(notes / FOLDER / found[0], found[1]) for found in map(NOTE.fullmatch, names) if found]
    return Remarks(tuple(tags), tuple(one for one in written if one))


def check_note(text: str) -> str:
    """The text of a note without blanks around it; ConfigError where it is empty, too long or no Unicode."""
    result = text.strip()
    if not result or len(result) > LONGEST_NOTE:
        msg = f"the note has {len(result):,} characters: expected 1 to {LONGEST_NOTE:,}"
        raise ConfigError(msg)
    if any("\ud800" <= sign <= "\udfff" for sign in result):
        msg = "the note has bytes that are no UTF-8: expected text"
        raise ConfigError(msg)
    return result


def check_tag(tag: str) -> str:
    """The tag; ConfigError where it cannot be one."""
    if not TAG.fullmatch(_tag_file(tag)):
        msg = f"'{tag}' cannot be a tag: expected up to 40 letters, digits, `_`, `.` and `-`, the first no `.` or `-`"
        raise ConfigError(msg)
    return tag


def add_note(notes: Path, text: str) -> None:
    """Add a note to a run, whole or not at all."""
    name = f"note-{datetime.now(UTC):{TIME}}-{secrets.token_hex(4)}.txt"
    write_atomically(notes / FOLDER / name, check_note(text).encode())


def add_tag(notes: Path, tag: str) -> None:
    """Give a run a tag; one that it has already is left as it is."""
    write_atomically(notes / FOLDER / _tag_file(check_tag(tag)), b"")


def remove(notes: Path, file: str) -> None:
    """Remove a note or a tag by the name of its file."""
    (notes / FOLDER / file).unlink(missing_ok=True)


def _tag_file(tag: str) -> str:
    return f"tag-{tag}"


def _read(path: Path, at: str) -> Note | None:
    unfit: tuple[type[Exception], ...] = (ValueError, *storage_errors())
    try:
        text = contents(path).decode("utf-8", "replace")[:LONGEST_NOTE]
        return Note(path.name, datetime.strptime(at, TIME).replace(tzinfo=UTC), text)
    except unfit as error:
        note(f"left out: {path} cannot be read: {' '.join(str(error).split())}")
        return None

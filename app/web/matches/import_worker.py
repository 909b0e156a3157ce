"""A worker process that reads imported files, so that a large file does not delay the server (`app/workers/`).

Jobs and answers are bytes. The server sends a file as it came, and passes on the body of the answer as it comes.
"""

import json
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, msgpack

from app.store.repositories.import_encoding import EncodedImport, restore_encoded_import
from app.web.http.http_error import HttpError
from app.web.matches import import_files
from app.web.matches.import_files import FileLimits
from app.workers.worker import run_worker

SMALL: Final = 256 * 1024
"""Largest size in bytes of a small file. Large files leave one worker to small files."""


class ImportJob(Struct, frozen=True, array_like=True):
    """A file to read in a worker process, and what for."""

    task: Literal["preview", "hand", "save"]
    limits: FileLimits
    body: bytes
    """The file."""
    first: int | None = None
    """For a part of a room's file: the number of its first match, from 1."""
    match: int = 0
    """For a hand: the match in the file, and the hand in that match, both from 0."""
    hand: int = 0
    seat: str | None = None
    """For a hand: show only what this player knew."""

    def encode(self) -> bytes:
        """Return the job as bytes for a worker."""
        return msgpack.encode(self)


class ImportAnswer(Struct, frozen=True, array_like=True):
    """What a worker answers: an HTTP response, or the matches to be saved."""

    status: int
    body: bytes
    """JSON; empty if there are matches to be saved."""
    matches: list[EncodedImport] = []


def run_import_job(data: bytes) -> bytes:
    """Read a file as its encoded `ImportJob` asks, and return the encoded `ImportAnswer`."""
    try:
        answer = _read_file(msgpack.decode(data, type=ImportJob))
    except HttpError as error:
        refusal = {"code": error.code, "message": error.sentence, **error.sentence.to_json()}
        answer = ImportAnswer(error.status, _encode(refusal))
    return msgpack.encode(answer, enc_hook=str.__str__)


def _read_file(job: ImportJob) -> ImportAnswer:
    match job.task:
        case "preview":
            return ImportAnswer(200, _encode(import_files.preview_file(job.limits, job.body, job.first)))
        case "hand":
            shown = import_files.preview_hand(job.limits, job.body, job.match, job.hand, job.seat)
            return ImportAnswer(200, _encode(shown))
        case "save":
            return ImportAnswer(201, b"", import_files.read_for_saving(job.limits, job.body, job.first))


def decode_import_answer(data: bytes) -> ImportAnswer:
    """Decode the answer of a worker; raise `msgspec.MsgspecError` for other bytes."""
    answer = msgpack.decode(data, type=ImportAnswer)
    return msgspec.structs.replace(answer, matches=[restore_encoded_import(each) for each in answer.matches])


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


if __name__ == "__main__":
    run_worker(run_import_job)

"""The bytes of a file or folder that is uploaded."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator


def name_and_bytes(path: str) -> tuple[str, bytes]:
    """Returns a file as it is. Folders name symbols and days: with them, it becomes a zip."""
    whole = os.path.abspath(path)
    name = os.path.basename(whole)
    # The server reads no zip within a zip.
    is_file = not os.path.isdir(whole)
    if is_file and (name.lower().endswith(".zip") or not _keyed(os.path.dirname(whole))):
        with open(whole, "rb") as file:
            return name, file.read()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        for file_path in [whole] if is_file else _files(whole):
            below = name if is_file else os.path.relpath(file_path, whole)
            folders = _keyed(os.path.dirname(whole) if is_file else whole)
            archive.write(file_path, "/".join([*folders, *below.split(os.sep)]))
    return f"{name}.zip", packed.getvalue()


def _keyed(folder: str) -> list[str]:
    """The folders ``key=value`` of a path."""
    return [part for part in folder.split(os.sep) if "=" in part]


def _files(folder: str) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names))

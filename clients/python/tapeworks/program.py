"""The tapeworks command line: it computes what files have no columns for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional, Union

import pyarrow as pa

from .errors import InvalidRequestError, NeedsServerError, TapeworksError

_USAGE = 2


class Program:
    """Runs commands that write an Arrow file from the published files of one mode."""

    def __init__(self, command: Union[str, Sequence[str], None], mode_folder: Path) -> None:
        self._command = [command] if isinstance(command, str) else command
        self._folder = mode_folder

    def table(self, what: str, arguments: Sequence[str], last: Sequence[str] = ()) -> pa.Table:
        """Runs a command and returns the table that it writes.

        Args:
            what: What the caller asked for, for the error without a program.
            last: Arguments that are no options.

        Raises:
            NeedsServerError: There is no program.
            InvalidRequestError: The program refuses the arguments.
        """
        with tempfile.TemporaryDirectory(prefix="tapeworks-") as folder:
            path = os.path.join(folder, "result.arrow")
            self._run(what, [*arguments, "--format", "arrow", "--out", path], last)
            with pa.OSFile(path) as file:
                return pa.ipc.open_file(file).read_all()

    def document(
        self, what: str, arguments: Sequence[str], last: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Runs a command and returns the JSON document that it prints, with the errors of ``table``."""
        printed: dict[str, Any] = json.loads(self._run(what, [*arguments, "--json"], last))
        return printed

    def _run(self, what: str, arguments: Sequence[str], last: Sequence[str]) -> bytes:
        command = [*self._found(what), *arguments, "--mode", self._folder.name, "--", *last]
        env = {**os.environ, "TAPEWORKS_DATA_DIR": str(self._folder.parent)}
        ended = subprocess.run(command, env=env, capture_output=True, check=False)
        if ended.returncode != 0:
            raise _failure(ended.returncode, ended.stderr.decode(errors="replace"))
        return ended.stdout

    def _found(self, what: str) -> Sequence[str]:
        found: Optional[str] = None if self._command else shutil.which("tapeworks")
        if self._command or found:
            return self._command or [str(found)]
        raise NeedsServerError(
            f"{what} must be computed: install the program (npm install -g tapeworks), name it "
            'with open(…, program="…"), or read from a server with tapeworks.connect()'
        )


def _failure(status: int, text: str) -> TapeworksError:
    lines = text.strip().splitlines()
    said = next((line for line in lines if line.startswith("tapeworks: ")), "".join(lines[-1:]))
    message = said[len("tapeworks: ") :] if said.startswith("tapeworks: ") else said
    kind = InvalidRequestError if status == _USAGE else TapeworksError
    return kind(message or f"tapeworks ended with status {status}")

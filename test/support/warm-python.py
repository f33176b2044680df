"""Runs programs in forks of a process that has imported their libraries.

Reads a JSON object with `program`, `args` and `env` from each line, and prints one with `code`,
`stdout` and `stderr`.
"""

import json
import os
import sys
import tempfile
import traceback

import tapeworks  # noqa: F401

# A second of processor time each, for the programs that name them.
LARGE = ("pandas", "polars")


def run(program, args, env):
    sys.argv = ["-c", *args]
    os.environ.update(env)
    code = 0
    try:
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


for line in sys.stdin:
    request = json.loads(line)
    for name in LARGE:
        if name in request["program"]:
            __import__(name)
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        child = os.fork()
        if child == 0:
            os.dup2(stdout.fileno(), 1)
            os.dup2(stderr.fileno(), 2)
            run(**request)
        _, status = os.waitpid(child, 0)
        texts = {}
        for name, file in (("stdout", stdout), ("stderr", stderr)):
            file.seek(0)
            texts[name] = file.read().decode()
    print(json.dumps({"code": os.waitstatus_to_exitcode(status), **texts}), flush=True)

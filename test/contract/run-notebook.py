"""Runs the code cells of a notebook in one namespace, and prints what the last lines show.

It needs no kernel, so a notebook may use no magic commands.
"""

import ast
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)

names = {"__name__": "__main__"}
shown = []
for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if last is not None:
        shown.append(repr(eval(compile(ast.Expression(last.value), "cell", "eval"), names)))
print(json.dumps({"shown": shown, **{name: repr(names[name]) for name in sys.argv[2:]}}))

/** Output of a verb: results go to stdout, everything else to stderr. */

/** Output of one command. `--json` prints exactly one JSON document on stdout and nothing else. */
export interface Output {
  readonly json: boolean;
  /** Prints the result: the document in JSON mode, else the lines. Called once a command. */
  result(document: unknown, lines: readonly string[]): void;
  /** Prints a remark on stderr, so that stdout stays parseable. */
  note(line: string): void;
}

export function createOutput(json: boolean): Output {
  return {
    json,
    result(document, lines) {
      const text = json ? JSON.stringify(document, null, 2) : lines.join('\n');
      if (text !== '') process.stdout.write(`${text}\n`);
    },
    note(line) {
      process.stderr.write(`${line}\n`);
    },
  };
}

/** Formats rows as aligned text columns; the first row is the heading. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

/** Returns the width of the terminal, or 80 without one. */
function terminalWidth(): number {
  return Math.max(80, process.stdout.columns ?? 0);
}

/**
 * Formats rows like `tableLines`, but no wider than the terminal: cuts cells of the widest flexible
 * columns and ends them in an ellipsis.
 *
 * @param flexible Columns that may be cut, by index.
 */
export function fittedTableLines(
  rows: readonly (readonly string[])[],
  flexible: readonly number[],
  width = terminalWidth(),
): string[] {
  if (rows.length === 0) return [];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const sum = () => widths.reduce((total, one) => total + one + 2, -2);
  while (sum() > width) {
    const widest = flexible.reduce((a, b) => (widths[b] > widths[a] ? b : a));
    if (widths[widest] <= 1) break;
    widths[widest]--;
  }
  const cut = (cell: string, column: number) =>
    cell.length > widths[column] ? `${cell.slice(0, widths[column] - 1)}…` : cell;
  return tableLines(rows.map((row) => row.map(cut)));
}

/** Formats a duration: `2 h 5 min`, `3 min`, `12 s`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

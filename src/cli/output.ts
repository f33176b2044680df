/** Output of a verb: results go to stdout, everything else to stderr. */

import { countText } from '../base/count-text.ts';
import { plainText } from '../base/prices/decimals.ts';
import { visible, visibleCell } from '../base/quoted.ts';
import { process } from '../base/world/process.ts';

/** Output of one command. `--json` prints exactly one JSON document on stdout and nothing else. */
export interface Output {
  /**
   * Prints the result: the document in JSON mode, else the lines. Called once a command.
   *
   * @param isDrawn True for lines with colours of our own.
   */
  result(document: unknown, lines: readonly string[], isDrawn?: boolean): void;
  /** Prints a remark on stderr, so that stdout stays parseable. */
  note(line: string): void;
  /** Notes the process that a verb waits for. */
  onWaiting(holder: string): void;
}

export function createOutput(json = false): Output {
  const note = (line: string) => void process.stderr.write(`${visible(line)}\n`);
  return {
    result(document, lines, isDrawn = false) {
      const text = json ? JSON.stringify(document, null, 2) : lines.join('\n');
      if (text !== '') process.stdout.write(`${isDrawn && !json ? text : visible(text)}\n`);
    },
    note,
    onWaiting: (holder) => note(`waiting for ${holder}`),
  };
}

/** Width below which no column is cut. */
const FLEXIBLE_MIN = 12;

/**
 * Formats rows as aligned text columns; the first row is the heading. Cells may be texts of others.
 *
 * @param flexible Columns, by index, whose cells are cut to fit the terminal, the widest first.
 * @param numeric  Columns, by index, whose cells are aligned to the right.
 */
export function tableLines(
  texts: readonly (readonly string[])[],
  flexible: readonly number[] = [],
  numeric: readonly number[] = [],
): string[] {
  if (texts.length === 0) return [];
  const rows = texts.map((row) => row.map(visibleCell));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const width = Math.max(80, process.stdout.columns ?? 0);
  while (flexible.length > 0 && widths.reduce((sum, one) => sum + one + 2, -2) > width) {
    const widest = flexible.reduce((a, b) => (widths[b] > widths[a] ? b : a));
    if (widths[widest] <= FLEXIBLE_MIN) break;
    widths[widest]--;
  }
  const cut = (cell: string, length: number, column: number) => {
    if (cell.length > length) return `${cell.slice(0, length - 1)}…`;
    return numeric.includes(column) ? cell.padStart(length) : cell.padEnd(length);
  };
  return rows.map((row) =>
    row
      .map((cell, column) => cut(cell, widths[column], column))
      .join('  ')
      .trimEnd(),
  );
}

/** Rounds a number for people; `--json` has all digits. */
export function shortNumber(value: number): string {
  return value >= 1000 ? countText(Math.round(value)) : plainText(value, 4);
}

/** Formats a duration: `2 h 5 min`, `3 min`, `12 s`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

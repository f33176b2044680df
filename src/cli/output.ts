/** What a verb prints, and where: results on stdout, everything else on stderr. */

/**
 * `--json` prints exactly one JSON document on stdout and nothing else; otherwise plain lines.
 */
export interface Output {
  readonly json: boolean;
  /** The verb's result: the document in JSON mode, else the lines. Called once a verb. */
  result(document: unknown, lines: readonly string[]): void;
  /** A remark for the person at the terminal; on stderr, so that stdout stays parseable. */
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

/** Rows as aligned text columns; the first row is the heading. */
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

/** 1846096 → `1,846,096`. By hand: the first `Intl.NumberFormat` of a process takes 28 ms. */
export function countText(count: number): string {
  if (!Number.isSafeInteger(count)) return count.toLocaleString('en-US');
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Numbers and tables as text. */

/** Formats a Markdown table; the first column is left-aligned, the others right-aligned. */
export function tableFromRows(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Formats three significant digits without an exponent: `0.0214`, `8.53`, `1,530`; `NaN`, `∞`. */
export function readable(value: number): string {
  // A ratio of two times is NaN where both are below the resolution of the clock.
  const digits = value ? Math.floor(Math.log10(Math.abs(value))) : 0;
  const maximumFractionDigits = Math.min(100, Math.max(0, 2 - digits));
  return value.toLocaleString('en-US', { maximumFractionDigits });
}

/** Fields of single CSV lines: headers and the few rows that tell a file's dialect. */

/**
 * @returns trimmed fields without their quotes; a line with broken quotes gives what its
 *   delimiters cut.
 */
export function csvFields(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim());
  const fields: string[] = [];
  let start = 0;
  while (start <= line.length) {
    const isQuoted = line[start] === '"';
    const end = isQuoted ? closingQuote(line, start) + 1 : line.indexOf(delimiter, start);
    const stop = end <= 0 ? line.length : end;
    const field = line.slice(start, stop);
    fields.push((isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field).trim());
    start = stop + 1;
  }
  return fields;
}

/** Index of the quote that ends the field, or of the last character when none does. */
function closingQuote(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] !== '"') continue;
    if (line[at + 1] !== '"') return at;
    at++;
  }
  return line.length - 1;
}

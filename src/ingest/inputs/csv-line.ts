/** Cuts a line into trimmed fields. A line with broken quotes is cut at every delimiter. */
export function csvFields(line: string, delimiter: string): string[] {
  const fields = line.includes('"') ? cutFields(line, delimiter) : 'broken';
  return typeof fields === 'string' ? line.split(delimiter).map((field) => field.trim()) : fields;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that cuts a header into the most fields. It holds for the whole file. */
export function delimiterOf(header: string): string {
  const widths = DELIMITERS.map((delimiter) => csvFields(header, delimiter).length);
  return DELIMITERS[widths.indexOf(Math.max(...widths))];
}

/**
 * Cuts a record by the strict rules of quotes, without the blanks around fields.
 * @returns `open` if a quote is not closed, `broken` if text follows a closing quote.
 */
export function cutFields(text: string, delimiter: string): string[] | 'open' | 'broken' {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    while (isBlank(text[at], delimiter)) at++;
    if (text[at] === '"') {
      const close = closingQuote(text, at);
      if (close === -1) return 'open';
      fields.push(
        text
          .slice(at + 1, close)
          .replaceAll('""', '"')
          .trim(),
      );
      at = close + 1;
      while (isBlank(text[at], delimiter)) at++;
      if (at < text.length && text[at] !== delimiter) return 'broken';
    } else {
      const end = text.indexOf(delimiter, at);
      const stop = end === -1 ? text.length : end;
      fields.push(text.slice(at, stop).trim());
      at = stop;
    }
    if (at >= text.length) return fields;
    at++;
  }
}

/** A carriage return is the end of a line of Windows. */
function isBlank(char: string | undefined, delimiter: string): boolean {
  return (char === ' ' || char === '\t' || char === '\r') && char !== delimiter;
}

/** Index of the quote that ends the field, or -1 if none does. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/**
 * Records of a CSV file whose fields may hold line ends between quotes. None is lost: one that
 * can't be cut into fields is given with the reason, and the next line begins another.
 */

import { cutFields, delimiterOf } from './csv-line.ts';
import { isTooLong, lineBatches, type TextLine, TOO_LONG } from './file-lines.ts';

/** Text and first line as in the file. */
export type CsvRecord = { line: number; text: string } & (
  | { fields: string[] }
  | { reason: string }
);

/** The header comes first, and tells the delimiter of all others. Blank lines are left out. */
export async function* csvRecords(path: string): AsyncGenerator<CsvRecord> {
  const window = new LineWindow(path);
  let delimiter: string | undefined;
  for (let first = await window.at(0); first; first = await window.at(0)) {
    if (first.text.trim() === '') {
      window.drop(1);
      continue;
    }
    delimiter ??= delimiterOf(first.text);
    const { number: line } = first;
    let { text } = first;
    let fields = cutFields(text, delimiter);
    let count = 1;
    while (fields === 'open' && !isTooLong(text)) {
      const next = await window.at(count);
      if (!next) break;
      text += `\n${next.text}`;
      count++;
      // Only a quote can close the field.
      if (next.text.includes('"')) fields = cutFields(text, delimiter);
    }
    const isRecord = typeof fields !== 'string' && !isTooLong(text);
    // A quote that nothing closes must not take the lines behind it along.
    window.drop(isRecord ? count : 1);
    if (isRecord) yield { line, text, fields: fields as string[] };
    else yield { line, text: first.text, reason: isTooLong(first.text) ? TOO_LONG : NO_MATCH };
  }
}

const NO_MATCH = 'quotes do not match';

/** The lines from the current one on, as far as they were looked at. */
class LineWindow {
  readonly #batches: AsyncGenerator<TextLine[]>;
  #lines: TextLine[] = [];
  #start = 0;

  constructor(path: string) {
    this.#batches = lineBatches(path);
  }

  /** @returns undefined behind the last one. */
  async at(offset: number): Promise<TextLine | undefined> {
    while (this.#start + offset >= this.#lines.length) {
      const { value, done } = await this.#batches.next();
      if (done) return undefined;
      this.#lines = [...this.#lines.slice(this.#start), ...value];
      this.#start = 0;
    }
    return this.#lines[this.#start + offset];
  }

  drop(count: number): void {
    this.#start += count;
  }
}

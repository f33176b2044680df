/**
 * Records of a CSV file whose fields may hold line ends between quotes. No record is lost: one that
 * can't be cut into fields carries the reason, and the next line begins a new record.
 */

import { cutFields, delimiterOf } from './csv-line.ts';
import { isTooLong, lineBatches, type TextLine, TOO_LONG } from './file-lines.ts';

/** Text and first line number, as in the file. */
export type CsvRecord = { line: number; text: string } & (
  | { fields: string[] }
  | { reason: string }
);

/** Reads the records, the header first: it decides the delimiter for all. Skips blank lines. */
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
    // Drop one line only: a quote that is never closed must not swallow the lines after it.
    window.drop(isRecord ? count : 1);
    if (isRecord) yield { line, text, fields: fields as string[] };
    else yield { line, text: first.text, reason: isTooLong(first.text) ? TOO_LONG : NO_MATCH };
  }
}

const NO_MATCH = 'quotes do not match';

/** A window over the lines, from the current one to the last one read ahead. */
class LineWindow {
  readonly #batches: AsyncGenerator<TextLine[]>;
  #lines: TextLine[] = [];
  #start = 0;

  constructor(path: string) {
    this.#batches = lineBatches(path);
  }

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

/** Reads lines of a text file of any size in bounded memory, even if a single line is huge. */

import { fileChunks } from '../../base/copy-file.ts';
import { limits } from '../../base/limits.ts';

export interface TextLine {
  /** Line number in the file, from 1. Blank lines count. */
  number: number;
  /** The line without its end. Of a line too long to read, only the start. */
  text: string;
}

export function isTooLong(text: string): boolean {
  return text.length > limits.ingest.lineBytesMax;
}

export const TOO_LONG = `line is longer than ${limits.ingest.lineBytesMax} characters`;

/** Yields all lines in batches, except the blank one after the last line end. */
export async function* lineBatches(path: string): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  const lineOf = (text: string) => {
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text;
    return { number: ++number, text: isTooLong(bare) ? bare.slice(0, KEPT_CHARS) : bare };
  };
  for await (const chunk of fileChunks(path)) {
    const texts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    // One character past the limit and a return prove that the line is too long. Keep no more.
    rest = texts.pop()!.slice(0, KEPT_CHARS + 1);
    yield texts.map(lineOf);
  }
  rest += decoder.decode();
  if (rest !== '') yield [lineOf(rest)];
}

const KEPT_CHARS = limits.ingest.lineBytesMax + 1;

/** Yields the lines in order, without blank lines and lines too long to be read as rows. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  for await (const lines of lineBatches(path)) {
    for (const { text } of lines) if (text !== '' && !isTooLong(text)) yield text;
  }
}

/** Returns the last line of a text that is not blank, or an empty text. */
export function lastLine(text: string): string {
  const whole = text.trimEnd();
  const from = whole.lastIndexOf('\n') + 1;
  // Tabs at its end are empty fields.
  const end = text.indexOf('\n', from);
  return text.slice(from, end === -1 ? undefined : end).replace(/\r$/, '');
}

/** Lines of a text file of any size, in bounded memory, however long one of them is. */

import { createReadStream } from 'node:fs';
import { limits } from '../../base/limits/limits.ts';

const CHUNK_BYTES = 1 << 20;

export interface TextLine {
  /** In the file, from 1; blank lines count. */
  number: number;
  /** Without its end; of a line that is too long to be read only the start. */
  text: string;
}

/** True of a line that is too long to be read as a row. */
export function isTooLong(text: string): boolean {
  return text.length > limits.ingest.lineBytesMax;
}

export const TOO_LONG = `line is longer than ${limits.ingest.lineBytesMax} characters`;

/** Gives all lines but the blank one after the last line end, some at a time. */
export async function* lineBatches(path: string): AsyncGenerator<TextLine[]> {
  const decoder = new TextDecoder();
  let number = 0;
  let rest = '';
  const lineOf = (text: string) => {
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text;
    return { number: ++number, text: isTooLong(bare) ? bare.slice(0, KEPT_CHARS) : bare };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const texts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    // More than a return beyond the limit tells that the line is too long, and is all that is kept.
    rest = texts.pop()!.slice(0, KEPT_CHARS + 1);
    yield texts.map(lineOf);
  }
  rest += decoder.decode();
  if (rest !== '') yield [lineOf(rest)];
}

const KEPT_CHARS = limits.ingest.lineBytesMax + 1;

/** Gives the lines in order, without those that are blank or too long to be read as rows. */
export async function* fileLines(path: string): AsyncGenerator<string> {
  for await (const lines of lineBatches(path)) {
    for (const { text } of lines) if (text !== '' && !isTooLong(text)) yield text;
  }
}

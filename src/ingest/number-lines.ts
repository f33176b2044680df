/**
 * Rewrites a text file as `line number, refusal, text`, so that DuckDB can read each line whole
 * and a refused row can be named. Bytes that DuckDB would silently drop a row for are replaced.
 */

import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { limits } from '../limits.ts';

/** Separates the three columns; control characters never stay in the text. */
export const NUMBERED_DELIMITER = '\u001f';

/** Control characters but tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n\u0080-\u009f]/gu;
const REPLACEMENT = '\ufffd';
const CHUNK_BYTES = 1 << 20;
const SHOWN_CHARS = 200;

/**
 * @param skipLines Lines to leave out at the start: 1 for a header. Blank lines are left out and
 *   not counted as such, but line numbers are those of the file, from 1.
 */
export async function numberLines(from: string, to: string, skipLines: number): Promise<void> {
  await pipeline(
    createReadStream(from, { highWaterMark: CHUNK_BYTES }),
    (chunks) => numbered(chunks as AsyncIterable<Buffer>, skipLines),

    createWriteStream(to),
  );
}

async function* numbered(chunks: AsyncIterable<Buffer>, skipLines: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const state = { line: 0, toSkip: skipLines };
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield numberedText(lines, state);
  }
  rest += decoder.decode();
  yield numberedText([rest], state);
}

function numberedText(lines: string[], state: { line: number; toSkip: number }): string {
  let text = '';
  for (const raw of lines) {
    state.line++;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line === '') continue;
    if (state.toSkip > 0) state.toSkip--;
    else text += numberedLine(state.line, line);
  }
  return text;
}

function numberedLine(number: number, line: string): string {
  let reason = '';
  let shown = line;
  if (line.length > limits.ingest.lineBytesMax) {
    reason = `line is longer than ${limits.ingest.lineBytesMax} characters`;
    shown = `${line.slice(0, SHOWN_CHARS)}…`;
  }
  const clean = shown.replace(CONTROL, REPLACEMENT);
  if (clean.includes(REPLACEMENT)) reason ||= 'line holds bytes that are no UTF-8 text';
  return `${number}${NUMBERED_DELIMITER}${reason}${NUMBERED_DELIMITER}${clean}\n`;
}

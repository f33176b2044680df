/**
 * Rewrites a text file as `line number, refusal, text`, so that DuckDB can read each line whole and
 * a refused row can be named. Replaces bytes that make DuckDB silently drop a row.
 */

import { pipeline } from 'node:stream/promises';
import { createWriteStream } from '../../base/world/files.ts';
import { isTooLong, lineBatches, type TextLine, TOO_LONG } from './file-lines.ts';

/** Separates the three columns. The text never keeps control characters. */
export const NUMBERED_DELIMITER = '\u001f';

/** Control characters except tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n\u0080-\u009f]/gu;
const REPLACEMENT = '\ufffd';
const SHOWN_CHARS = 200;

/**
 * @param skipLines Lines to skip at the start: 1 for a header. Blank lines do not count.
 * @param addedLines Lines at the start that the user's file lacks: numbers begin behind them.
 * @param isWanted Returns false for lines to leave out; default: none.
 */
export async function numberLines(
  from: string,
  to: string,
  {
    skipLines,
    addedLines,
    isWanted = () => true,
  }: { skipLines: number; addedLines: number; isWanted?: (text: string) => boolean },
): Promise<void> {
  await pipeline(numbered(from, skipLines, addedLines, isWanted), createWriteStream(to));
}

async function* numbered(
  path: string,
  skipLines: number,
  addedLines: number,
  isWanted: (text: string) => boolean,
): AsyncGenerator<string> {
  let toSkip = skipLines;
  for await (const lines of lineBatches(path)) {
    let text = '';
    for (const line of lines) {
      if (line.text === '') continue;
      if (toSkip > 0) toSkip--;
      else if (isWanted(line.text)) {
        text += numberedLine({ ...line, number: line.number - addedLines });
      }
    }
    if (text !== '') yield text;
  }
}

function numberedLine({ number, text }: TextLine): string {
  let reason = '';
  let shown = text;
  if (isTooLong(text)) {
    reason = TOO_LONG;
    shown = `${text.slice(0, SHOWN_CHARS)}…`;
  }
  const clean = shown.replace(CONTROL, REPLACEMENT);
  if (clean.includes(REPLACEMENT))
    reason ||= 'line holds control characters or bytes that are no UTF-8 text';
  return `${number}${NUMBERED_DELIMITER}${reason}${NUMBERED_DELIMITER}${clean}\n`;
}

/** Rows whose day a folder states, as `date=2024-01-31/data.csv`: writers leave the column out. */

import { pipeline } from 'node:stream/promises';
import { createWriteStream } from '../../base/world/files.ts';
import { fileLines } from '../inputs/file-lines.ts';
import { objectFromLine } from '../inputs/json-line.ts';
import { isDateName } from './fields.ts';
import type { ShapeFacts, Table } from './shape.ts';

export const DAY_FACTS: ShapeFacts = {
  words: 'rows of the day that their folder or file is named after',
  addedLines: 0,
  stated: {},
};

const CLOCK = /^\d{1,2}:\d\d/;

/** Returns true for names that have one of dates. A column of times of day is none. */
export function areDated(header: readonly string[], row: readonly string[] = []): boolean {
  return header.some((name, at) => isDateName(name) && !CLOCK.test(row[at] ?? ''));
}

/** The table with a first column of the day. */
export function datedTable(header: readonly string[], day: string): Table {
  return {
    header: ['date', ...header],
    headerLines: 1,
    stated: {},
    rows: (fields) => [[day, ...fields]],
  };
}

/** Writes JSON lines with the day. @returns false if the first one is dated, or is no object. */
export async function dateLines(from: string, to: string, date: string): Promise<boolean> {
  for await (const line of fileLines(from)) {
    const object = objectFromLine(line);
    const values = Object.values(object ?? {}).map((value) => String(value));
    if (object === undefined || areDated(Object.keys(object), values)) return false;
    break;
  }
  await pipeline(datedLines(from, date), createWriteStream(to));
  return true;
}

async function* datedLines(path: string, date: string): AsyncGenerator<string> {
  for await (const line of fileLines(path)) {
    const object = objectFromLine(line);
    yield `${object ? JSON.stringify({ date, ...object }) : line}\n`;
  }
}

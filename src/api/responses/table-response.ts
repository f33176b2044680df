/** A table as an answer in one of the two tabular formats. */

import { CONTENT_TYPES } from '../http/format.ts';
import { type Answer, createAnswer } from '../http/response.ts';
import { csvFromTable } from './csv.ts';
import type { Table } from './table.ts';

/** @param headers Names and values in turn, beside `Content-Type`. */
export async function arrowAnswer(table: Table, headers: readonly string[]): Promise<Answer> {
  const { arrowFromTable } = await import('./arrow-stream.ts');
  return createAnswer(200, CONTENT_TYPES.arrow, arrowFromTable(table), headers);
}

export function csvAnswer(table: Table, headers: readonly string[]): Answer {
  return createAnswer(200, CONTENT_TYPES.csv, csvFromTable(table), headers);
}

/** Pages of lists that are stored in order of creation. */

import { z } from 'zod';
import type { ListPart } from '../../store/sqlite/database/list-part.ts';
import { cursorField, pageLimitField } from '../http/query-fields.ts';
import type { Answer } from '../http/response.ts';
import { PAGE_HEADERS, pageAnswer } from './pages.ts';

export const listParameters = z.strictObject({
  limit: pageLimitField,
  cursor: cursorField.optional(),
});

/**
 * @param jsonRow What a row looks like in the answer.
 * @param seal    Gives the cursor behind the row of a number.
 */
export function listAnswer<Row>(
  { rows, lastSeq, hasMore, total }: ListPart<Row>,
  jsonRow: (row: Row) => unknown,
  seal: (lastSeq: number) => string,
): Answer {
  const texts = rows.map((row) => JSON.stringify(jsonRow(row)));
  return pageAnswer(texts, { total, cursor: hasMore ? seal(lastSeq) : undefined }, PAGE_HEADERS);
}

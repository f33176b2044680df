/** Compares a screen with the same one computed again: what is kept must never change a row. */

import { isDeepStrictEqual } from 'node:util';
import { TapeworksError } from '../../base/errors.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import type { Screened } from './screened.ts';

/**
 * Compares everything that rows of a response are made of.
 *
 * @param how The way in which `again` was computed.
 * @throws {TapeworksError} A part differs. The response is a 500, which an alert reports.
 */
export function requireSameRows(
  texts: ScreenTexts,
  screened: Screened,
  again: Screened,
  how: string,
): void {
  const [parts, others] = [partsOf(screened), partsOf(again)];
  const differing = Object.keys(parts).filter(
    (name) => !isDeepStrictEqual(parts[name], others[name]),
  );
  if (differing.length === 0) return;
  throw new TapeworksError(
    `the screen ${JSON.stringify(texts)} has other ${differing.join(', ')} ${how} than in its ` +
      'response: please report it, with this line and the published version',
  );
}

function partsOf({ universe, matches, columns, sort, conditions, nulls }: Screened) {
  const parts: Record<string, unknown> = {
    symbols: universe.table.symbols,
    ...{ matches, sort, columns, conditions, nulls },
  };
  return parts;
}

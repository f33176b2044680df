import { z } from 'zod';
import { validOr } from '../../../base/errors.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import { checkedResponse, malformed } from '../../http/checked-response.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { type ExpirationsRequest, expirationRows } from '../shared/expirations.ts';

const answer = z.looseObject({
  data: z.looseObject({ options: z.array(z.looseObject({ option: z.unknown().optional() })) }),
});

/** `AAPL261127C00110000`: root, date, call or put, strike in thousandths. */
const OCC = /^[A-Z0-9]{1,6}\s*(\d{2})(\d{2})(\d{2})[CP]\d{8}$/;

/**
 * Makes rows of `expirations`, each day once. Unreadable options are rejected one by one.
 * @throws {MalformedInputError} the body is not of the format, or no option can be read.
 */
export function parseCboeOptions(body: string, request: ExpirationsRequest): UncheckedRow[] {
  const title = `Cboe's options of ${request.symbol}`;
  const { options } = checkedResponse(body, answer, title).data;
  const days = new Set<number>();
  const refused: UncheckedRow[] = [];
  for (const [i, { option }] of options.entries()) {
    const day = typeof option === 'string' ? expirationOf(option) : undefined;
    if (day !== undefined) days.add(day);
    else {
      const text = JSON.stringify(option) ?? '';
      refused.push({ reason: 'option is not an OCC symbol', line: i + 1, text });
    }
  }
  if (options.length > 0 && days.size === 0) {
    throw malformed(title, 'data.options: none has an OCC symbol');
  }
  return [...expirationRows(days, request), ...refused];
}

function expirationOf(option: string): number | undefined {
  const match = OCC.exec(option);
  if (!match) return undefined;
  const [, year, month, day] = match;
  return validOr(() => dayFromDate(`20${year}-${month}-${day}`), undefined);
}

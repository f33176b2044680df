import { z } from 'zod';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { checkedResponse } from '../../http/checked-response.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { type ExpirationsRequest, expirationRows } from '../shared/expirations.ts';

const answer = z.looseObject({
  optionChain: z.looseObject({
    result: z.array(z.looseObject({ expirationDates: z.array(z.number()) })),
  }),
});

/**
 * Makes rows of `expirations`; none for a symbol without options or an unknown one: both have the
 * same response.
 * @throws {MalformedInputError} the body is not of the format; names the field.
 */
export function parseYahooOptions(body: string, request: ExpirationsRequest): UncheckedRow[] {
  const title = `Yahoo's options of ${request.symbol}`;
  const { result } = checkedResponse(body, answer, title).optionChain;
  const seconds = result.flatMap(({ expirationDates }) => expirationDates);
  // Each is the day's midnight in UTC.
  const days = seconds.map((second) => dayFromMillis(second * 1000));
  return expirationRows(days, request);
}

/** Expiration days of options, from Yahoo. Pure. */

import { z } from 'zod';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { checkedAnswer } from '../../http/checked-response.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import type { OptionsQuestion } from '../cboe/parse-options.ts';

const answer = z.looseObject({
  optionChain: z.looseObject({
    result: z.array(z.looseObject({ expirationDates: z.array(z.number()) })),
  }),
});

/**
 * Rows of `expirations`, ascending, each day once; none for a symbol without options, which Yahoo
 * answers as one that it does not know.
 *
 * @throws {MalformedInputError} not of the format; names the field.
 */
export function parseYahooOptions(
  body: string,
  { symbol, todayDay, asOfMs }: OptionsQuestion,
): UncheckedRow[] {
  const { result } = checkedAnswer(body, answer, `Yahoo's options of ${symbol}`).optionChain;
  const days = result.flatMap(({ expirationDates }) => expirationDates).map(dayFromSeconds);
  return [...new Set(days)]
    .filter((day) => day >= todayDay)
    .sort((a, b) => a - b)
    .map((date) => ({ row: { symbol, asOf: asOfMs, date } }));
}

/** Seconds of the day's midnight in UTC. */
function dayFromSeconds(seconds: number): number {
  return dayFromMillis(seconds * 1000);
}

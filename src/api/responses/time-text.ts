/** Date-times as answers spell them: `YYYY-MM-DDTHH:mm:ss.sssZ`. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';

/**
 * Midnights by day. Exchange history has some 30,000 days, so each is spelled once a process; and
 * as one flat text, because `JSON.stringify` takes twice as long over texts put together by `+`.
 */
const midnightTexts = new Map<number, string>();

export function dateTimeText(ms: number): string {
  if (ms % MILLIS_PER_DAY !== 0) return new Date(ms).toISOString();
  const known = midnightTexts.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  midnightTexts.set(ms, text);
  return text;
}

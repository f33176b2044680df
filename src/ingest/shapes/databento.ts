/** Databento's bars: a record type states the interval, and whole prices count billionths. */

import { MalformedInputError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../inputs/json-line.ts';
import { withPoint } from '../values/fixed-point.ts';
import { PRICE_FIELDS } from './fields.ts';
import { type BodyBar, statement, type TableShape } from './shape.ts';

/** Record types of bars, by the interval that they state. */
const INTERVALS: Record<string, string> = { 32: '1s', 33: '1m', 34: '1h', 35: '1d' };
const PLACES = 9;
/** The largest 64-bit number stands for none. */
const NONE = '9223372036854775807';

export const databento: TableShape = {
  words: 'a download of Databento',
  recognise(start) {
    const { header } = start;
    if (!header.includes('ts_event') || !header.includes('rtype')) return undefined;
    const places = PRICE_FIELDS.map((name) => header.indexOf(name));
    if (places.includes(-1)) {
      throw new MalformedInputError('its records are no bars: request the schema ohlcv-1m or -1d');
    }
    const rtypeAt = header.indexOf('rtype');
    const venueAt = header.indexOf('publisher_id');
    const rtype = start.firstRow()[rtypeAt] ?? '';
    const interval = INTERVALS[rtype];
    let venue: string | undefined;
    return {
      header,
      headerLines: 1,
      stated: interval ? { interval: statement(interval, `its record type ${rtype} says so`) } : {},
      rows(line) {
        const own = line[venueAt];
        venue ??= own;
        if (own !== venue) {
          throw severalVenues(venue, own);
        }
        return [line.map((text, at) => (places.includes(at) ? priceFrom(text) : text))];
      },
    };
  },
};

/** A record of JSON lines, whose header is an object of its own, as a bar; undefined for others. */
export function barOfRecord(body: JsonObject): BodyBar | undefined {
  const { hd, ...others } = body;
  if (!isObject(hd) || hd.ts_event === undefined) return undefined;
  const prices = PRICE_FIELDS.map((name) => [name, priceFrom(String(others[name] ?? ''))]);
  const bar = { ...hd, ...others, ...Object.fromEntries(prices) };
  const interval = INTERVALS[String(hd.rtype)];
  return { bar, facts: interval === undefined ? {} : { interval } };
}

/** Bars of two venues are other bars of the same minute. */
export function severalVenues(one: string, other: string): MalformedInputError {
  return new MalformedInputError(
    `it holds bars of several venues (publisher_id ${one} and ${other}): keep one of them`,
  );
}

function priceFrom(text: string): string {
  return text === NONE ? '' : withPoint(text, PLACES);
}

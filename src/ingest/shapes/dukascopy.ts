/**
 * Columns of times that name their clock: Dukascopy's `Gmt time`, `Local time` and `UTC`
 * (`02.01.2024 14:30:00.000`, the day first), the `Time (EET)` of its platform, and others'
 * `Time (CT)` and `timestamp_utc`.
 */

import { isDateName } from './fields.ts';
import { type Statements, statement, type TableShape } from './shape.ts';

const STAMP =
  /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?: (?:GMT|UTC|[A-Z]{3,4})?([+-]\d{2}(?:\d{2})?)?)?$/;
const NAME =
  /^(?:(gmt|local|eet|utc|est) time|(utc|gmt|eet|est)|(?:time|date ?time|timestamp)[ _]\(?(utc|gmt|eet|e[sd]?t|c[sd]?t|p[sd]?t)\)?)\s*$/i;

/** Zones of the clocks that a header names. Dukascopy's EST has summer time. */
const ZONES: readonly (readonly [clock: RegExp, zone: string])[] = [
  [/^EET$/, 'Europe/Helsinki'],
  [/^E[SD]?T$/, 'America/New_York'],
  [/^C[SD]?T$/, 'America/Chicago'],
  [/^P[SD]?T$/, 'America/Los_Angeles'],
];

export const dukascopy: TableShape = {
  words: 'times of a named clock, as Dukascopy writes them',
  recognise({ header, firstRow }) {
    const at = header.findIndex((name) => NAME.test(name));
    if (at === -1) return undefined;
    const clock = NAME.exec(header[at])!.slice(1).find(Boolean)!.toUpperCase();
    // A column of days stands before one of times of day.
    const own = header.some((name, index) => index !== at && isDateName(name))
      ? 'time'
      : 'datetime';
    const isGmt = clock === 'GMT' || clock === 'UTC';
    const iso = (text: string) => {
      const [, day, month, year, time, offset] = STAMP.exec(text) ?? [];
      if (year === undefined) return isGmt && /:\d{2}$/.test(text) ? `${text}Z` : text;
      return `${year}-${month}-${day} ${time}${offset?.padEnd(5, '0') ?? (isGmt ? 'Z' : '')}`;
    };
    const hasOffset = /[+-]\d\d:?(?:\d\d)?$|Z$/.test(iso(firstRow()[at] ?? ''));
    return {
      header: header.map((name, index) => (index === at ? own : name)),
      headerLines: 1,
      stated: hasOffset ? {} : zoneOf(clock),
      rows: (line) => [line.map((text, index) => (index === at ? iso(text) : text))],
    };
  },
};

function zoneOf(clock: string): Statements {
  const zone = ZONES.find(([name]) => name.test(clock))?.[1];
  if (zone === undefined) return {};
  return { zone: statement(zone, `its column of times is named ${clock}`) };
}

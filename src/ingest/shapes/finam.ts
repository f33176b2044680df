/** Finam's dates of six digits, and its codes of US stocks: `US1.AAPL`. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { fullYear } from '../timing/date-format.ts';
import { isWeekend } from '../timing/week-days.ts';
import { type Statements, statement, type TableShape } from './shape.ts';

/** `040324`, `04/03/24`. */
const SIX_DIGITS = /^\d{2}(\/?)\d{2}\1\d{2}$/;
/** Longest gap in days between two sessions. */
const GAP_DAYS_MAX = 7;

type Order = 'ymd' | 'dmy' | 'mdy';

export const finam: TableShape = {
  words: 'a download of Finam',
  recognise(start) {
    const names = start.header.map((name) => name.toUpperCase());
    const [dateAt, tickerAt] = [names.indexOf('<DATE>'), names.indexOf('<TICKER>')];
    if (dateAt === -1 || names.includes('<OPENINT>') || names.includes('<TICKVOL>'))
      return undefined;
    const isShort = SIX_DIGITS.test(start.firstRow()[dateAt] ?? '');
    if (!isShort && tickerAt === -1) return undefined;
    const texts = [...start.lines().slice(1), start.last()].map((line) => line[dateAt] ?? '');
    const order = isShort ? orderOf(texts) : undefined;
    const timeAt = names.indexOf('<TIME>');
    return {
      header: start.header.map((name, at) => (at === tickerAt ? 'symbol' : name)),
      headerLines: 1,
      stated: zoneOf(
        start
          .lines()
          .slice(1)
          .map((line) => line[timeAt] ?? ''),
      ),
      rows: (line) => [
        line.map((text, at) => {
          if (at === tickerAt) return text.replace(/^US\d\.(?=[A-Z])/, '');
          if (at === timeAt) return withZeros(text);
          return at === dateAt && isShort ? dated(text, order) : text;
        }),
      ],
    };
  },
};

/** Spreadsheets drop leading zeros: `0`, `93000`. */
function withZeros(text: string): string {
  if (!/^\d{1,5}$/.test(text)) return text;
  return text.padStart(text.length === 3 || text.length === 4 ? 4 : 6, '0');
}

/** Moscow's clocks show New York's opening at 16:30 or 17:30; a bar may bear its end. */
function zoneOf(times: readonly string[]): Statements {
  const first = times[0]?.replaceAll(':', '').slice(0, 4) ?? '';
  const isMoscow =
    /^1[67]3[0-5]$/.test(first) && times.every((time) => time >= times[0].slice(0, 2));
  if (!isMoscow) return {};
  const fact = `its first bar is at ${first.slice(0, 2)}:${first.slice(2)}, New York's opening in Moscow`;
  return { zone: statement('Europe/Moscow', fact) };
}

/** The order in which sessions follow one another, if only one gives that. */
function orderOf(texts: readonly string[]): Order | undefined {
  const distinct = [...new Set(texts.filter((text) => text !== ''))];
  const possible = (['ymd', 'dmy', 'mdy'] as const).filter((order) => {
    const days = distinct.map((text) => dayFrom(text, order)).sort((a, b) => a - b);
    return days.every((day, at) => {
      const gap = at === 0 ? 0 : day - days[at - 1];
      return !isWeekend(day) && gap <= GAP_DAYS_MAX;
    });
  });
  return possible.length === 1 ? possible[0] : undefined;
}

function dayFrom(text: string, order: Order): number {
  const iso = dated(text, order);
  return Date.parse(iso) / MILLIS_PER_DAY;
}

/** ISO date of six digits; without an order three parts, which the dates of the file settle. */
function dated(text: string, order: Order | undefined): string {
  if (!SIX_DIGITS.test(text)) return text;
  const parts = text.match(/\d\d/g)!;
  if (order === undefined) return parts.join('-');
  const part = (name: string) => parts[order.indexOf(name)];
  return `${fullYear(part('y'))}-${part('m')}-${part('d')}`;
}

/** Writes the file of random choices, as the tools of people write theirs. */

import { gzipSync } from 'node:zlib';
import { sessionCloseMs, sessionOpenMs, sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { seededRandom } from '../faults/scale.ts';
import { clockOf } from '../ingest/support/made-sessions.ts';
import { zipOf } from '../ingest/support/zip-file.ts';
import {
  BASES,
  type Clock,
  DAY_FORMS,
  EXTRAS,
  type FileChoices,
  FRAMES,
  HEADERS,
  MARKS,
  MINUTE_FORMS,
  NUMBERS,
  SYMBOLS,
  TICKERS,
  TYPES,
  VOLUMES,
  type WrittenBar,
} from './written-file.ts';

const STEP_MINUTES: Record<string, number> = { '1m': 1, '5m': 5 };
const DAY_MS = 86_400_000;

interface Moment {
  ms: number;
  clock: Clock;
  date: string;
  /** Size of its volume: sessions begin and end busily. */
  weight: number;
}

function clockFrom(text: string, ms: number): Clock {
  const [y, m, d, h = 0, min = 0] = text.split(/[- :T]/).map(Number);
  return { y, m, d, h, min, ms };
}

function momentsOf({
  interval,
  from,
  bars,
  zone,
  isAtEnd,
  basis,
  anchor,
  extended,
}: FileChoices): Moment[] {
  const first = dayFromDate(from);
  const sessions = [...sessionsBetween(first, first + 800)];
  const step = STEP_MINUTES[interval];
  if (step === undefined) {
    const days =
      interval === '1d'
        ? sessions.slice(0, bars)
        : longDays(sessions, interval, anchor).slice(0, Math.max(bars, 4));
    return days.map((day) => {
      const date = dateFromDay(day);
      return { ms: day * DAY_MS, clock: clockFrom(date, day * DAY_MS), date, weight: 1 };
    });
  }
  return sessions.slice(0, bars > 12 ? 4 : bars > 4 ? 2 : 1).flatMap((day) => {
    const [open, close] = [sessionOpenMs(day) - (extended ? 90 * 60_000 : 0), sessionCloseMs(day)];
    return Array.from({ length: (close - open) / 60_000 / step }, (_, i) => {
      const ms = open + i * step * 60_000;
      // Our own column states the start.
      const shownMs = ms + (isAtEnd && !basis.startsWith('adjustment') ? step * 60_000 : 0);
      const place = (ms - open) / (close - open);
      const isEarly = ms < sessionOpenMs(day);
      const isEdge = ms === sessionOpenMs(day) || ms + step * 60_000 === close;
      return {
        ms,
        clock: clockFrom(clockOf(shownMs, zone), shownMs),
        date: `${new Date(ms).toISOString().slice(0, 19)}Z`,
        weight: isEarly ? 0.05 : isEdge ? 8 : 0.5 + (2 * place - 1) ** 2,
      };
    });
  });
}

/** Dates of bars of weeks or months, as vendors write them. */
function longDays(sessions: readonly number[], interval: string, anchor: string): number[] {
  const weekOf = (day: number) => Math.floor((day + 3) / 7);
  const lengthOf = (day: number) =>
    interval === '1w' ? String(weekOf(day)) : dateFromDay(day).slice(0, 7);
  return [...Map.groupBy(sessions, lengthOf).values()].slice(1).map((days) => {
    const monday = weekOf(days[0]) * 7 - 3;
    if (anchor === 'first') return days[0];
    if (anchor === 'last' || interval === '1mo') return days[days.length - 1];
    return monday + { Monday: 0, Friday: 4, Sunday: 6 }[anchor as 'Monday']!;
  });
}

interface Placed {
  bar: WrittenBar;
  moment: Moment;
}

/** Bars by symbol, with the clocks that are written. */
function marketOf(choices: FileChoices): Map<string, Placed[]> {
  const random = seededRandom(choices.seed);
  const { split, holes, price, decimals, isWhole, zeroVolumes, interval, density, volume } =
    choices;
  const { unit, suffix } = VOLUMES[volume];
  const moments = momentsOf(choices);
  const start = Math.floor(random() * TICKERS.length);
  return new Map(
    Array.from({ length: choices.symbols }, (_, i) => {
      const symbol = TICKERS[(start + i * 3) % TICKERS.length];
      const round = (value: number) => Number(value.toFixed(isWhole ? 0 : decimals));
      let last = isWhole ? Math.ceil(price) + 2 : price * (0.5 + random());
      const rows = moments.flatMap((moment): Placed[] => {
        if (split > 0 && moment === moments[Math.floor(moments.length / 2)]) last /= split;
        const open = last * (1 + (random() - 0.5) / 100);
        const close = open * (1 + (random() - 0.5) / 40);
        const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
        last = close;
        const [o, h, l, c] = [
          open,
          top * (1 + random() / 100),
          bottom * (1 - random() / 100),
          close,
        ].map(round);
        const size = Math.ceil(
          (interval[1] === 'd' ? 100_000 : 900) * moment.weight * (0.5 + random()) * 3,
        );
        const isNone = random() < zeroVolumes;
        const shares =
          unit === 0 || isNone
            ? 0
            : unit === 1
              ? size
              : suffix
                ? (Math.round((size / unit) * 100) / 100) * unit
                : Math.ceil(size / unit) * unit;
        const bar = {
          symbol,
          date: moment.date,
          open: o,
          high: Math.max(h, o, c),
          low: Math.min(l, o, c),
          close: c,
          volume: Math.round(shares),
        };
        const isHole =
          random() < (interval.endsWith('m') ? 1 - density : interval === '1d' ? holes : 0);
        return isHole || bar.low <= 0 ? [] : [{ bar, moment }];
      });
      return [symbol, rows] as const;
    }),
  );
}

/** A table of texts, and of values for the forms that have types. */
interface Table {
  names: string[];
  /** Types of Parquet columns. */
  types: string[];
  rows: { texts: string[]; values: (string | number)[] }[];
}

function grouped(text: string, [thousands, decimal]: readonly [string, string]): string {
  const [whole, rest] = text.split('.');
  const parts = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole;
  return rest === undefined ? parts : parts + decimal + rest;
}

function tableOf(choices: FileChoices, placed: readonly Placed[], hasSymbol: boolean): Table {
  const { interval, decimals, isTrimmed, isWhole, extras, hasIndex, isMixed } = choices;
  const marks = MARKS[choices.marks];
  const { unit, name: volumeName, suffix = '' } = VOLUMES[choices.volume];
  const form = STEP_MINUTES[interval] ? MINUTE_FORMS[choices.minutes] : DAY_FORMS[choices.days];
  const header = HEADERS[choices.header];
  const price = (value: number) => {
    const fixed = value.toFixed(isWhole ? 0 : decimals);
    return NUMBERS[choices.number](grouped(isTrimmed ? String(Number(fixed)) : fixed, marks));
  };
  const number = (
    name: string,
    numberOf: (bar: WrittenBar) => number,
    textOf: (value: number) => string,
  ) => ({
    name,
    cell: ({ bar }: Placed) => ({
      text: textOf(numberOf(bar)),
      value: textOf === volumeText && suffix ? textOf(numberOf(bar)) : numberOf(bar),
    }),
  });
  const volumeText = (value: number) => grouped(String(value), marks) + suffix;
  const text = (name: string, textOf: (at: Placed, row: number) => string) => ({
    name,
    cell: (at: Placed, row: number) => ({
      text: textOf(at, row),
      value: textOf(at, row) as string | number,
    }),
  });
  const hasTwo = form(placed[0].moment.clock).includes('\0');
  const columns = [
    text(header[0], ({ moment }) => form(moment.clock).split('\0')[0]),
    ...(hasTwo ? [text('time', ({ moment }) => form(moment.clock).split('\0')[1])] : []),
    number(header[1], ({ open }) => open, price),
    number(header[2], ({ high }) => high, price),
    number(header[3], ({ low }) => low, price),
    number(header[4], ({ close }) => close, price),
    ...(unit === 0
      ? []
      : [
          number(
            volumeName ?? header[5],
            ({ volume }) => Number((volume / unit).toFixed(2)),
            volumeText,
          ),
        ]),
    ...extras.map((name) =>
      text(EXTRAS[name][0], ({ bar }, row) => EXTRAS[name][1](bar, row).replace('.', marks[1])),
    ),
  ];
  const extra = BASES[choices.basis].extra;
  if (extra) columns.push(text(extra[0], ({ bar }) => extra[1](bar).replace('.', marks[1])));
  if (isMixed) columns.reverse();
  const { column = '', isFirst, written = (symbol: string) => symbol } = SYMBOLS[choices.symbol];
  if (hasSymbol)
    columns.splice(
      isFirst ? 0 : columns.length,
      0,
      text(column, ({ bar }) => written(bar.symbol)),
    );
  if (hasIndex) columns.unshift(text('', (_, row) => String(row)));
  const [dateType, priceType, volumeType] = TYPES[choices.types];
  const typeOf = (name: string, value: string | number) => {
    if (name === header[0])
      return /^\d{4}-\d{2}-\d{2}/.test(String(value)) && !/[a-z]/.test(String(value))
        ? dateType
        : 'VARCHAR';
    if (typeof value !== 'number') return 'VARCHAR';
    return header.slice(1, 5).includes(name) ? priceType : unit === 1 ? volumeType : 'DOUBLE';
  };
  return {
    names: columns.map(({ name }) => name),
    types: columns.map((one) => typeOf(one.name, one.cell(placed[0], 0).value)),
    rows: placed.map((at, row) => {
      const cells = columns.map(({ cell }) => cell(at, row));
      return { texts: cells.map((one) => one.text), values: cells.map((one) => one.value) };
    }),
  };
}

function csvOf(
  { names, rows }: Table,
  { delimiter, quoting, end, hasBom, hasEndLine, frame }: FileChoices,
): string {
  const cell = (text: string, isQuoted: boolean) =>
    isQuoted || text.includes(delimiter) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const lines = [
    names.map((name) => cell(name, quoting === 'all' || quoting === 'header')),
    ...rows.map(({ texts }) =>
      texts.map((text) =>
        cell(text, quoting === 'all' || (quoting === 'texts' && !/^[\d.,]*$/.test(text))),
      ),
    ),
  ];
  const { above = [], below = [] } = FRAMES[frame];
  const all = [
    ...above.map((line) => line.replace(',', delimiter)),
    ...lines.map((line) => line.join(delimiter)),
    ...below,
  ];
  return (hasBom ? '\ufeff' : '') + all.join(end) + (hasEndLine ? end : '');
}

function jsonOf({ names, rows }: Table, container: string): string {
  const objects = rows.map(({ values }) =>
    Object.fromEntries(names.map((name, i) => [name || 'index', values[i]])),
  );
  if (container === 'jsonl') return `${objects.map((one) => JSON.stringify(one)).join('\n')}\n`;
  if (container === 'json') return JSON.stringify(objects);
  return JSON.stringify({
    columns: names,
    index: rows.map((_, i) => i),
    data: rows.map(({ values }) => values),
  });
}

export interface WrittenFiles {
  files: Record<string, Buffer | Table>;
  bars: WrittenBar[];
  basis: string;
}

function ordered(placed: Placed[], { order, seed }: FileChoices): Placed[] {
  const random = seededRandom(seed + 1);
  if (order === 'newest first') return placed.toReversed();
  if (order === 'by day') return placed.toSorted((a, b) => a.moment.ms - b.moment.ms);
  if (order === 'shuffled')
    return placed
      .map((one) => [random(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  return placed;
}

/** Makes the files of choices; tables are to be written as Parquet. */
export function writtenFiles(choices: FileChoices): WrittenFiles {
  const market = marketOf(choices);
  const { path } = SYMBOLS[choices.symbol];
  const { container } = choices;
  const all = [...market.values()].flat();
  const parts: [string, Placed[]][] = path
    ? [...market].map(([symbol, rows]) => [path(symbol), rows])
    : [['prices', all]];
  const ending =
    { gz: 'csv.gz', zip: 'csv', 'json columns': 'json' }[container as string] ?? container;
  const files = parts
    .filter(([, placed]) => placed.length > 0)
    .map(([name, placed]): [string, Buffer | Table] => {
      const table = tableOf(choices, ordered(placed, choices), !path);
      if (container === 'parquet') return [`${name}.${ending}`, table];
      const text = container.startsWith('json') ? jsonOf(table, container) : csvOf(table, choices);
      const content = Buffer.from(text, container.startsWith('json') ? 'utf8' : choices.encoding);
      return [`${name}.${ending}`, container === 'gz' ? gzipSync(content) : content];
    });
  const packed: [string, Buffer | Table][] =
    container === 'zip'
      ? [
          [
            'bars.zip',
            zipOf(files.map(([name, content]) => ({ name, content: content as Buffer }))),
          ],
        ]
      : files;
  return {
    files: Object.fromEntries(packed),
    bars: all.map(({ bar }) => bar),
    basis: BASES[choices.basis].basis,
  };
}

export type { Table };

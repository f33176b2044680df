/** Values that stand in several columns, or count another unit: days, times and tickers. */

import { isDateName } from './fields.ts';
import { statement, type TableShape } from './shape.ts';

const DAY_PARTS = ['year', 'month', 'day'] as const;
const TIME_PARTS = ['hour', 'minute'] as const;
/** A date without a time. */
const DAY = /^[\d/.-]{6,10}$/;

/** Dates in columns for year, month and day, and times for hour and minute. */
export const dateParts: TableShape = {
  words: 'dates in several columns',
  recognise({ header, firstRow }) {
    const names = header.map((name) => name.trim().toLowerCase());
    const [days, times] = [placesOf(DAY_PARTS, names), placesOf(TIME_PARTS, names)];
    const dateAt = names.findIndex((name) => isDateName(name) && name !== 'day');
    const first = firstRow();
    const areDays = days !== undefined && dateAt === -1 && areNumbers(days, first);
    // Beside a stamp with its time, they repeat it.
    const isOpen = areDays || (dateAt !== -1 && DAY.test(first[dateAt] ?? ''));
    const areTimes = times !== undefined && isOpen && areNumbers(times, first);
    if (!areDays && !areTimes) return undefined;
    const parts = new Set([...(areDays ? days : []), ...(areTimes ? times : [])]);
    const others = [...header.keys()].filter((at) => !parts.has(at));
    const added = [...(areDays ? ['date'] : []), ...(areTimes ? ['time'] : [])];
    return {
      header: [...added, ...others.map((at) => header[at])],
      headerLines: 1,
      stated: {},
      rows: (line) => [
        [
          ...(areDays ? [joined(days, line, '-')] : []),
          ...(areTimes ? [joined(times, line, ':')] : []),
          ...others.map((at) => line[at] ?? ''),
        ],
      ],
    };
  },
};

function placesOf(parts: readonly string[], names: readonly string[]): number[] | undefined {
  const places = parts.map((part) => names.indexOf(part));
  return places.includes(-1) ? undefined : places;
}

function areNumbers(places: readonly number[], row: readonly string[]): boolean {
  return places.every((at) => /^\d{1,4}$/.test(row[at] ?? ''));
}

function joined(places: readonly number[], line: readonly string[], mark: string): string {
  return places.map((at) => (line[at] ?? '').padStart(2, '0')).join(mark);
}

/** Columns of a ticker without its class, by vendor, best first. */
const PARTED_TICKERS: readonly {
  names: readonly string[];
  symbolOf(parts: readonly string[]): string;
}[] = [
  // NYSE's TAQ: `BRK` and `B` are BRK.B.
  {
    names: ['sym_root', 'sym_suffix'],
    symbolOf: (parts) => parts.filter(Boolean).join('.'),
  },
  // CRSP, before 2024 and since: `BRK`, `B` and `BRKB` are BRK.B, but `GOOGL` of class A is GOOGL.
  { names: ['ticker', 'shrcls', 'tsymbol'], symbolOf: symbolOfCrsp },
  { names: ['ticker', 'shareclass', 'tradingsymbol'], symbolOf: symbolOfCrsp },
];

function symbolOfCrsp([ticker, shareClass, traded]: readonly string[]): string {
  const isOfClass = shareClass !== '' && traded.replace(/[^A-Z]/gi, '') === ticker + shareClass;
  return isOfClass ? `${ticker}.${shareClass}` : traded || ticker;
}

/** Tickers whose class stands in another column. */
export const partedTickers: TableShape = {
  words: 'tickers of a root and a suffix',
  recognise({ header }) {
    const names = header.map((name) => name.trim().toLowerCase());
    const parted = PARTED_TICKERS.map(({ names: parts, symbolOf }) => {
      return { places: placesOf(parts, names), symbolOf };
    }).find(({ places }) => places !== undefined);
    if (parted?.places === undefined) return undefined;
    const { places, symbolOf } = parted;
    const [rootAt] = places;
    return {
      header: header.map((name, at) => (at === rootAt ? 'symbol' : name)),
      headerLines: 1,
      stated: {},
      rows: (line) => {
        const symbol = symbolOf(places.map((at) => (line[at] ?? '').trim()));
        return [line.map((text, at) => (at === rootAt ? symbol : text))];
      },
    };
  },
};

const MINUTE_MS = 60_000;

/** ThetaData's minutes: the time is milliseconds of New York's day. */
export const thetaData: TableShape = {
  words: 'times in milliseconds of a day, as ThetaData writes them',
  recognise({ header }) {
    const timeAt = header.indexOf('ms_of_day');
    // A day's bar has two such times: of its report and its last trade.
    if (timeAt === -1 || header.includes('ms_of_day2') || !header.includes('date')) {
      return undefined;
    }
    const priceAt = header.indexOf('open');
    return {
      header: header.map((name, at) => (at === timeAt ? 'time' : name)),
      headerLines: 1,
      stated: {
        zone: statement('America/New_York', 'its column "ms_of_day" counts from midnight there'),
      },
      // A minute without a trade is a row of zeros.
      rows: (line) =>
        Number(line[priceAt]) === 0
          ? []
          : [line.map((text, at) => (at === timeAt ? clockOf(text) : text))],
    };
  },
};

/** ThetaData's days since version 3: a report is made in the evening of its day. */
export const thetaDays: TableShape = {
  words: 'days by the time of their report, as ThetaData writes them',
  recognise({ header }) {
    const [reportAt, tradeAt] = ['created', 'last_trade'].map((name) => header.indexOf(name));
    if (reportAt === -1 || tradeAt === -1 || header.some(isDateName)) return undefined;
    const priceAt = header.indexOf('open');
    return {
      header: header.map((name, at) => (at === reportAt ? 'date' : name)),
      headerLines: 1,
      stated: {},
      rows: (line) => {
        // A day without a trade is a row of zeros.
        if (Number(line[priceAt]) === 0) return [];
        const day = (line[reportAt] ?? '').slice(0, DAY_LENGTH);
        // A report of another day than its trades stays as it is, to be refused.
        const isOfTrades = line[tradeAt]?.startsWith(day);
        return [line.map((text, at) => (at === reportAt && isOfTrades ? day : text))];
      },
    };
  },
};

const DAY_LENGTH = '2026-01-31'.length;

function clockOf(text: string): string {
  const minutes = Number(text) / MINUTE_MS;
  if (!/^\d+$/.test(text) || !Number.isInteger(minutes)) return text;
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

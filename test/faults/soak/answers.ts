/**
 * Requests of the soak, and the checks of their responses: every number follows from the market,
 * and all numbers of a response come from one version.
 */

import assert from 'node:assert/strict';
import type { Asked, Question } from '../../../bench/http/ask.ts';
import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { priceChange } from '../../../src/base/prices/price-change.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import {
  COMPANIES,
  CORRECTED,
  dailyClose,
  historyDays,
  LAST_DAY,
  MARKS,
  type Marks,
  minuteClose,
  numberOf,
  revenueOf,
  SESSION_OPEN_MS,
  symbolOf,
} from './market.ts';

/** Marks that a response shows of its version; undefined if it shows none. */
type Told = Partial<Marks>;

type Row = Record<string, ParsedJson>;

interface Checked {
  path: string;
  check: (asked: Asked) => Told;
}

/** Days of the last day's moving average. */
const AVERAGED = 20;

const dateOf = (day: number) => new Date(day * MILLIS_PER_DAY).toISOString();

/** The number of an answer's last day: what its close is above the uncorrected one. */
function correctionOf(symbol: number, close: number): number {
  return Math.round((close - dailyClose(symbol, LAST_DAY, 0)) * 100);
}

function checkQuote(row: Row): Told {
  const symbol = numberOf(row.symbol);
  const minute = Math.round((row.price - minuteClose(symbol, 0)) * 100);
  const correction = correctionOf(symbol, row.previousClose);
  assert.equal(row.price, minuteClose(symbol, minute));
  assert.equal(row.dayOpen, minuteClose(symbol, 0));
  assert.equal(row.previousClose, dailyClose(symbol, LAST_DAY, correction));
  assert.equal(row.change, priceChange(row.price, row.previousClose));
  if (symbol < CORRECTED) return { minute, correction };
  assert.equal(correction, 0);
  return { minute };
}

/** All rows of an answer tell the same. */
function checkAlike(told: readonly Told[]): Told {
  const all: Told = {};
  for (const one of told) {
    for (const mark of MARKS) {
      if (one[mark] === undefined) continue;
      all[mark] ??= one[mark];
      assert.equal(one[mark], all[mark], `two versions in one answer: ${mark}`);
    }
  }
  return all;
}

function checkDays(symbol: number, candles: readonly Row[]): Told {
  const last = candles[candles.length - 1];
  const correction = correctionOf(symbol, last.close);
  const days = historyDays(candles.length);
  for (const [i, { timestamp, close }] of candles.entries()) {
    assert.equal(timestamp, dateOf(days[i]));
    assert.equal(close, dailyClose(symbol, days[i], correction));
  }
  return symbol < CORRECTED ? { correction } : {};
}

function checkAverage(symbol: number, { candles, indicators }: Row): Told {
  const told = checkDays(symbol, candles);
  const closes = candles.slice(-AVERAGED).map(({ close }: Row) => close);
  const mean = closes.reduce((sum: number, close: number) => sum + close, 0) / AVERAGED;
  const { value } = indicators[`sma:${AVERAGED}`].at(-1);
  assert.ok(Math.abs(value - mean) < 1e-9, `average ${value} of closes whose mean is ${mean}`);
  return told;
}

function checkMinutes(symbol: number, { candles }: Row): Told {
  const minutes = candles.map(
    ({ timestamp }: Row) => (Date.parse(timestamp) - SESSION_OPEN_MS) / 60_000,
  );
  for (const [i, minute] of minutes.entries()) {
    assert.equal(minute, minutes[0] + i);
    assert.equal(candles[i].close, minuteClose(symbol, minute));
  }
  return { minute: minutes.at(-1) };
}

function checkCsv(text: string, symbols: readonly number[]): Told {
  const [header, ...lines] = text.trimEnd().split('\n');
  const close = header.split(',').indexOf('close');
  const date = header.split(',').indexOf('date');
  const days = historyDays(5);
  assert.equal(lines.length, symbols.length * days.length);
  return checkAlike(
    lines.map((line, i) => {
      const cells = line.split(',');
      const symbol = symbols[Math.floor(i / days.length)];
      const day = days[i % days.length];
      const correction = day === LAST_DAY ? correctionOf(symbol, Number(cells[close])) : 0;
      assert.equal(cells[0], symbolOf(symbol));
      assert.equal(cells[date], dateOf(day).slice(0, 10));
      assert.equal(Number(cells[close]), dailyClose(symbol, day, correction));
      return day === LAST_DAY && symbol < CORRECTED ? { correction } : {};
    }),
  );
}

/** Rows of one company, or of all, the newest first and none missing. */
function checkRows(
  { data, total }: Row,
  company: number | undefined,
  rowOf: (row: Row) => number,
): Told {
  const step = company === undefined ? 1 : COMPANIES;
  const newest = rowOf(data[0]);
  for (const [i, row] of data.entries()) assert.equal(rowOf(row), newest - i * step);
  if (company !== undefined) assert.equal(newest % COMPANIES, company);
  assert.equal(total, Math.floor(newest / step) + 1);
  // Those of other companies may be newer.
  return company === undefined ? { row: newest } : {};
}

/** Questions in turn, over all symbols in turn; each answer is checked. */
export class SoakQuestions {
  /** By connection, which is one thread's: there no version is older than one before. */
  readonly newest: Marks[] = [];
  readonly #symbolCount: number;
  #asked = 0;
  /** Next cursor of each walk through the screener, with the marks of its version. */
  readonly #walks: { cursor: string; minute: number; changePct: number }[] = [];

  constructor(symbolCount: number) {
    this.#symbolCount = symbolCount;
  }

  next(): Question {
    const number = this.#asked++;
    const makers = this.#makers;
    return this.#question(makers[number % makers.length](Math.floor(number / makers.length)));
  }

  /** Two of three tell of rows, the other of bars: connections that take turns get both. */
  nextOfLast(): Question {
    const isOfRows = this.#asked++ % 3 > 0;
    return this.#question(
      isOfRows ? this.#news(1) : this.#json(`quotes/${symbolOf(0)}`, checkQuote),
    );
  }

  #question({ path, check }: Checked): Question {
    return {
      path: path.startsWith('/') ? path : `/v1/svc/${path}`,
      check: (asked) => this.#remember(asked, check(asked)),
    };
  }

  /** The newest version that is known of a connection never goes back. */
  #remember({ connection }: Asked, told: Told): void {
    this.newest[connection] ??= { minute: -1, correction: -1, row: -1 };
    const newest = this.newest[connection];
    for (const mark of MARKS) {
      const value = told[mark];
      if (value === undefined) continue;
      assert.ok(value >= newest[mark], `an older version: ${mark} ${value} after ${newest[mark]}`);
      newest[mark] = value;
    }
  }

  readonly #makers: ((turn: number) => Checked)[] = [
    (turn) => this.#json(`quotes/${this.#name(turn)}`, checkQuote),
    (turn) => {
      const names = Array.from({ length: 10 }, (_, i) => this.#name(turn + i));
      return this.#json(`quotes/batch?symbols=${names}`, ({ data }) => {
        assert.deepEqual(
          data.map(({ symbol }: Row) => symbol),
          names,
        );
        return checkAlike(data.map(checkQuote));
      });
    },
    (turn) => this.#technical(turn, `indicators=sma:${AVERAGED}&limit=30`, checkAverage),
    (turn) => this.#json(`quotes/${this.#name(7 * turn)}`, checkQuote),
    (turn) => this.#technical(turn, 'interval=1m&limit=15', checkMinutes),
    (turn) => {
      // Another question nearly every time, as those of many users are.
      const query = `indicators=rsi:${2 + (turn % 997)},bollinger:20&limit=${20 + (turn % 31)}`;
      return this.#technical(turn, query, (symbol, { candles }) => checkDays(symbol, candles));
    },
    (turn) => this.#news(1 + (turn % 10)),
    (turn) => this.#rows(turn, 'news', storyOf),
    (turn) => this.#rows(turn, 'upgrades-downgrades', ({ firm }) => Number(firm.slice(5))),
    (turn) => {
      const company = turn % COMPANIES;
      return this.#json(`fundamentals/${symbolOf(company)}/statements`, ({ data }) => {
        const row = data[0].revenue - revenueOf(0);
        assert.equal(data.length, 1);
        assert.equal(row % COMPANIES, company);
        return {};
      });
    },
    (turn) => {
      const symbols = Array.from({ length: CORRECTED }, (_, i) => (turn + i) % this.#symbolCount);
      const from = dateOf(historyDays(5)[0]).slice(0, 10);
      const query = `symbols=${symbols.map(symbolOf)}&interval=1d&from=${from}&format=csv`;
      return {
        path: `candles?${query}`,
        check(asked) {
          assert.equal(asked.status, 200, asked.text);
          return checkCsv(asked.text, symbols);
        },
      };
    },
    () => this.#firstScreen(),
    () => this.#nextScreen(),
    (turn) =>
      this.#json(`symbols?search=s&limit=${1 + (turn % 20)}`, ({ total }) => {
        assert.equal(total, this.#symbolCount);
        return {};
      }),
    (turn) => ({
      path: `quotes/X${symbolOf(turn)}`,
      check({ status }) {
        assert.equal(status, 404);
        return {};
      },
    }),
    () => ({
      path: '/healthz',
      check({ status }) {
        assert.equal(status, 200);
        return {};
      },
    }),
  ];

  #name(number: number): string {
    return symbolOf(number % this.#symbolCount);
  }

  #json(path: string, check: (body: Row, asked: Asked) => Told) {
    return {
      path,
      check(asked: Asked): Told {
        assert.equal(asked.status, 200, asked.text);
        return check(JSON.parse(asked.text), asked);
      },
    };
  }

  #technical(turn: number, query: string, check: (symbol: number, body: Row) => Told) {
    const symbol = turn % this.#symbolCount;
    const path = `technical/${symbolOf(symbol)}?${query}`;
    return this.#json(path, (body) => check(symbol, body));
  }

  #news(limit: number): Checked {
    return this.#json(`news?limit=${limit}`, (page) => checkRows(page, undefined, storyOf));
  }

  #rows(turn: number, route: string, rowOf: (row: Row) => number) {
    const company = turn % COMPANIES;
    const path = `${route}/${symbolOf(company)}?limit=${1 + (turn % 5)}`;
    return this.#json(path, (page) => checkRows(page, company, rowOf));
  }

  #firstScreen() {
    return this.#json('screener?sort=change_pct&limit=20', ({ data, cursor }) => {
      const told = checkScreen(data);
      const { changePct } = data[data.length - 1];
      this.#walks.push({ cursor, minute: told.minute as number, changePct });
      return told;
    });
  }

  /** Goes on where a walk of a while ago is: its version is older than the newest. */
  #nextScreen() {
    const walk = this.#walks.length > WALKS ? this.#walks.shift() : undefined;
    if (!walk) return this.#firstScreen();
    const path = `screener?sort=change_pct&limit=20&cursor=${encodeURIComponent(walk.cursor)}`;
    return this.#json(path, ({ data }, { headers }) => {
      const told = checkScreen(data);
      assert.ok(data[0].changePct <= walk.changePct);
      if (headers['x-svc-snapshot-changed'] === '1') return {};
      assert.equal(told.minute, walk.minute, 'a walk that has left its version says so');
      return {};
    });
  }
}

/** Walks that have begun and wait for their second page. */
const WALKS = 50;

const storyOf = ({ title }: Row) => Number(title.slice(6));

function checkScreen(data: readonly Row[]): Told {
  for (let i = 1; i < data.length; i++) assert.ok(data[i].changePct <= data[i - 1].changePct);
  return checkAlike(
    data.map(({ symbol, price }) => ({
      minute: Math.round((price - minuteClose(numberOf(symbol), 0)) * 100),
    })),
  );
}

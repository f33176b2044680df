/** Random markets, with the right answer from their companies alone. */

import { expect, test } from 'vitest';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { scaled, TIMEOUT_MS } from '../../../faults/scale.ts';
import {
  dateAfter,
  delist,
  load,
  query,
  rename,
  segmentOf,
  type TestBar,
  type TestFile,
  withStore,
} from '../support/fixtures.ts';

const FIRST = '2015-01-01';
const DAYS = 240;
const TICKERS = ['A', 'B', 'C', 'D', 'E'];

/** A generator of numbers from 0 to below `n`, the same for each seed. */
function numbersOf(seed: number): (n: number) => number {
  let state = seed * 2654435761 + 1;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

interface Company {
  close: number;
  /** Ticker by day; undefined: not listed. */
  days: (string | undefined)[];
}

interface Market {
  companies: Company[];
  commands: string[];
}

/** Lists, renames, swaps and delists companies day by day, and tells each change as a command. */
function marketOf(random: (n: number) => number): Market {
  const companies: Company[] = [];
  const commands: string[] = [];
  const holders = new Map<string, Company>();
  for (let day = 0; day < DAYS; day++) {
    const date = dateAfter(FIRST, day);
    const before = dateAfter(FIRST, day - 1);
    const free = () => TICKERS.filter((ticker) => !holders.has(ticker));
    const held = [...holders.keys()];
    const one = held[random(held.length)];
    const event = random(18);
    if (event === 0 && held.length > 0 && day > 0) {
      commands.push(`delist ${one} ${before}`);
      holders.delete(one);
    }
    if (event === 1 && held.length > 0 && free().length > 0) {
      const to = free()[random(free().length)];
      commands.push(`rename ${one} ${to} ${date}`);
      holders.set(to, holders.get(one)!);
      holders.delete(one);
    }
    const other = held[random(held.length)];
    if (event === 2 && held.length > 1 && one !== other) {
      commands.push(`rename ${one} ${other} ${date}`, `rename ${other} ${one} ${date}`);
      const pair = [holders.get(one)!, holders.get(other)!];
      holders.set(other, pair[0]);
      holders.set(one, pair[1]);
    }
    if ((event === 3 || companies.length === 0) && free().length > 0) {
      const company = { close: 3 * 1.7 ** companies.length, days: [] };
      companies.push(company);
      holders.set(free()[random(free().length)], company);
    }
    for (const [ticker, company] of holders) company.days[day] = ticker;
  }
  return { companies, commands };
}

/** Bars as they were on each day, in files of a ticker or of some days, in any order. */
function filesOf({ companies }: Market, random: (n: number) => number): TestFile[][] {
  const bars = new Map<string, TestBar[]>();
  for (const { close, days } of companies) {
    for (const [day, ticker] of days.entries()) {
      if (ticker === undefined) continue;
      const piece = `${ticker} ${Math.floor(day / 60)}`;
      bars.set(piece, [...(bars.get(piece) ?? []), [dateAfter(FIRST, day), close]]);
    }
  }
  const files = [...bars].map(([piece, rows]): TestFile => {
    return { symbol: piece.split(' ')[0], bars: rows.sort(([a], [b]) => (a < b ? -1 : 1)) };
  });
  const groups: TestFile[][] = [[], [], [], []];
  for (const file of files) {
    const group = groups[random(groups.length)];
    // A file has each ticker once.
    const same = group.find(({ symbol }) => symbol === file.symbol);
    if (same) same.bars = [...same.bars, ...file.bars].sort(([a], [b]) => (a < b ? -1 : 1));
    else group.push(file);
  }
  return groups.filter((group) => group.length > 0);
}

function shuffled<T>(all: readonly T[], random: (n: number) => number): T[] {
  const rest = [...all];
  return all.map(() => rest.splice(random(rest.length), 1)[0]);
}

function commandOf(text: string): (db: MarketDb) => Promise<unknown> {
  const [verb, ...words] = text.split(' ');
  if (verb === 'rename') return (db) => rename(db, words[0], words[1], words[2]);
  return (db) => delist(db, words[0], words[1]);
}

function expected({ companies }: Market): unknown[][] {
  return companies
    .map(({ close, days }) => {
      const listed = [...days.keys()].filter((day) => days[day] !== undefined);
      const [first, last] = [listed[0], listed[listed.length - 1]];
      return [close, listed.length, dateAfter(FIRST, first), dateAfter(FIRST, last), days[last]];
    })
    .sort(([a], [b]) => Number(a) - Number(b));
}

const SEEDS = Array.from({ length: scaled(3, 60) }, (_, seed) => seed);

test.each(SEEDS)(
  'market %i has each company whole, in any order',
  async (seed) => {
    const market = marketOf(numbersOf(seed));
    const random = numbersOf(seed + 1000);
    const files = filesOf(market, random);
    const basis = seed % 3 === 2 ? 'all' : 'raw';
    for (let turn = 0; turn < scaled(1, 2); turn++) {
      const steps = [
        ...files.map((group, i) => segmentOf(group, { basis, name: String(i) })),
        ...market.commands.map(commandOf),
      ];
      await withStore(async (db) => {
        for (const step of shuffled(steps, random)) {
          await (typeof step === 'function' ? step(db) : load(db, step));
        }
        const found = await query(
          db,
          `SELECT close, count(*)::INTEGER, min(ts)::DATE, max(ts)::DATE,
           regexp_replace(any_value(symbol), '\\..*', '')
         FROM candles GROUP BY close, symbol ORDER BY close`,
        );
        expect(found, market.commands.join('\n')).toEqual(expected(market));
        const symbols = await query(db, 'SELECT symbol FROM candles GROUP BY symbol');
        expect(symbols).toHaveLength(market.companies.length);
      });
    }
  },
  TIMEOUT_MS,
);

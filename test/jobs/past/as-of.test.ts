/** The market as it was served: kept copies of answers against what `as_of` gives later. */

import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { publish } from '../../../jobs/publish/publish.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { canDropInPlace, dropInPlace } from '../../../src/store/duckdb/segments/drop.ts';
import { listSegments } from '../../../src/store/duckdb/segments/list.ts';
import { type Reply, startTestServer, type TestServer } from '../../api/support/test-server.ts';
import { scaled } from '../../faults/scale.ts';
import {
  actionsOf,
  dateAfter,
  delist,
  rename,
  segmentOf,
  type TestBar,
} from '../../store/duckdb/support/fixtures.ts';
import { freshFolder } from '../../support/folders.ts';
import { useLimits } from '../../support/use-limits.ts';
import { FOLD_EARLY } from '../support/fold-early.ts';
import { minuteSegment, minutes, sessions } from '../support/intraday-store.ts';
import { inStore, loadAll } from '../support/store.ts';

useLimits(limits.serving, FOLD_EARLY);

const FIRST = '2025-11-03';
const DAYS = sessions(FIRST, 120);
const START_MS = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'];
/** Prices of these come adjusted from their vendor, with every load anew. */
const ADJUSTED = ['ADJ', 'ADK'];

const PATHS = [
  '/svc/candles?symbols=*&format=csv',
  '/svc/candles?symbols=*&format=arrow&interval=1w',
  '/svc/candles?symbols=*&format=csv&interval=1M&limit=2',
  '/svc/candles?symbols=*&format=csv&interval=1m',
  '/svc/candles?symbols=*&format=csv&interval=15m&limit=3',
  '/svc/candles?symbols=AAA,BBB&format=csv&adjustment=raw',
  '/svc/candles?symbols=AAA,CCC&format=csv&adjustment=all&interval=1w',
  '/svc/candles?symbols=AAA&format=csv&from=2025-11-10&to=2025-12-01',
  '/svc/technical?symbols=*&indicators=sma:5,rsi&latest=true&format=csv',
  '/svc/technical?symbols=*&indicators=macd&format=csv',
  ...[...SYMBOLS, ...ADJUSTED, 'NEW'].flatMap((symbol) => [
    `/svc/technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger,sma:7`,
    `/svc/quotes/${symbol}`,
  ]),
  '/svc/technical/AAA?indicators=rsi&interval=1w',
  '/svc/technical/AAA?indicators=rsi&interval=5m&limit=20',
  `/svc/quotes/batch?symbols=${[...SYMBOLS, ...ADJUSTED].join(',')}&format=csv`,
];

function randomNumbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((below * state) / 2_147_483_648);
  };
}

/** A market that is changed at random, with what was loaded so far. */
class ChangingMarket {
  readonly #paths: ModePaths;
  readonly #random: (below: number) => number;
  #loads = 0;
  #dayCount = 40;
  #minuteDays = 0;
  #scale = 1;
  #names = [...SYMBOLS];

  constructor(paths: ModePaths, seed: number) {
    this.#paths = paths;
    this.#random = randomNumbers(seed);
  }

  #close(symbol: string, day: number): number {
    const base = 20 + 7 * (symbol.charCodeAt(0) % 11);
    return Math.round(100 * (base + 5 * Math.sin(day / 3 + base))) / 100;
  }

  #bars(symbol: string, from: number, to: number, scale = 1): TestBar[] {
    return DAYS.slice(from, to).map((day, i) => [
      day,
      this.#close(symbol, from + i) * scale,
      1000 + 10 * this.#random(50),
    ]);
  }

  async #load(files: { symbol: string; bars: TestBar[] }[], basis: 'raw' | 'all'): Promise<void> {
    const asOf = dateAfter('2026-05-01', this.#loads++);
    await loadAll(this.#paths, segmentOf(files, { basis, asOf, name: `load ${this.#loads}` }));
  }

  async begin(): Promise<void> {
    const files = this.#names.map((symbol) => ({ symbol, bars: this.#bars(symbol, 0, 40) }));
    await this.#load(files, 'raw');
    await this.readjust();
  }

  async append(): Promise<void> {
    const to = Math.min(DAYS.length, this.#dayCount + 1 + this.#random(3));
    const some = this.#names.filter(() => this.#random(4) > 0);
    const files = some.map((symbol) => ({ symbol, bars: this.#bars(symbol, this.#dayCount, to) }));
    this.#dayCount = to;
    if (files.length > 0) await this.#load(files, 'raw');
  }

  /** Loads another close of a day in the past, or a day that was missing. */
  async correct(): Promise<void> {
    const symbol = this.#names[this.#random(this.#names.length)];
    const day = this.#random(this.#dayCount);
    const close = this.#close(symbol, day) * (1 + this.#random(20) / 1000);
    await this.#load([{ symbol, bars: [[DAYS[day], Math.round(close * 100) / 100, 77]] }], 'raw');
  }

  /** Loads bars before the first day. */
  async prepend(): Promise<void> {
    const symbol = this.#names[this.#random(this.#names.length)];
    const day = dateAfter(FIRST, -1 - this.#random(20));
    await this.#load([{ symbol, bars: [[day, this.#close(symbol, 0), 5]] }], 'raw');
  }

  /** Loads whole histories as their vendor adjusts them from now on. */
  async readjust(): Promise<void> {
    this.#scale *= 1 - this.#random(20) / 1000;
    const files = ADJUSTED.map((symbol) => ({
      symbol,
      bars: this.#bars(symbol, 0, this.#dayCount, this.#scale),
    }));
    await this.#load(files, 'all');
  }

  async act(): Promise<void> {
    const symbol = this.#names[this.#random(this.#names.length)];
    const day = DAYS[1 + this.#random(this.#dayCount)];
    const events = this.#random(2)
      ? { splits: [day] }
      : { dividends: [[day, 0.5] as [string, number]] };
    const actions = [actionsOf(symbol, ['2025-01-01', '2026-12-31'], events)];
    const asOf = dateAfter('2026-05-01', this.#loads++);
    await loadAll(this.#paths, segmentOf([], { actions, asOf, name: `load ${this.#loads}` }));
  }

  async addMinutes(): Promise<void> {
    const date = DAYS[20 + (this.#minuteDays % 3)];
    this.#minuteDays++;
    const files = ['AAA', 'MIN'].map((symbol) => ({
      symbol,
      bars: minutes(date, 0, 20 + this.#random(60), 50 + this.#random(5)),
    }));
    const asOf = dateAfter('2026-05-01', this.#loads++);
    await loadAll(this.#paths, minuteSegment(files, { asOf, name: `load ${this.#loads}` }));
  }

  async rename(): Promise<void> {
    const from = this.#names.pop()!;
    const to = `${from.slice(0, 2)}${String.fromCharCode(71 + this.#random(19))}`;
    await inStore(this.#paths, (db) =>
      rename(db, from, to, dateAfter(DAYS[this.#dayCount - 1], 1)),
    );
    this.#names.unshift(to);
  }

  async delist(): Promise<void> {
    if (this.#names.length < 4) return;
    const symbol = this.#names.pop()!;
    await inStore(this.#paths, (db) => delist(db, symbol, DAYS[this.#dayCount - 1]));
  }

  async undo(): Promise<void> {
    await inStore(this.#paths, async (db) => {
      const all = await listSegments(db, 4);
      for (const one of all) {
        if (one.dataset !== 'candles' || !(await canDropInPlace(db, one))) continue;
        await dropInPlace(db, one, START_MS);
        return;
      }
    });
  }

  async change(): Promise<string> {
    const kinds = [
      ...['append', 'append', 'append', 'correct', 'correct', 'prepend', 'readjust', 'act'],
      ...['addMinutes', 'addMinutes', 'rename', 'undo', 'delist'],
    ] as const;
    const kind = kinds[this.#random(kinds.length)] as keyof ChangingMarket;
    await (this[kind] as () => Promise<unknown>)();
    return kind;
  }
}

interface Kept {
  kind: string;
  timeMs: number;
  answers: Map<string, Reply>;
}

async function ask(server: TestServer, path: string, asOf?: string): Promise<Reply> {
  const mark = path.includes('?') ? '&' : '?';
  return server.get(
    `/v1${path}${asOf === undefined ? '' : `${mark}as_of=${encodeURIComponent(asOf)}`}`,
  );
}

function contentOf({ status, bytes, headers }: Reply) {
  const rows = headers.get('X-SVC-Rows');
  const adjustment = headers.get('X-SVC-Adjustment');
  const text = status === 200 ? Buffer.from(bytes).toString('latin1') : '';
  return { status, rows, adjustment, text };
}

it.each(Array.from({ length: scaled(1, 40) }, (_, i) => i + 1))(
  'gives what was served after each change, byte for byte (seed %i)',
  async (seed) => {
    const dataDir = freshFolder();
    const paths = modePaths(dataDir, 'sandbox');
    const market = new ChangingMarket(paths, seed);
    await market.begin();
    await publish(paths, { verb: 'test', nowMs: START_MS });
    const looks: (() => void)[] = [];
    const watch = (look: () => void) => {
      looks.push(look);
      return () => undefined;
    };
    const server = await startTestServer(dataDir, START_MS, {}, { watch });
    onTestFinished(() => server.close());
    const kept: Kept[] = [];
    const keep = async (kind: string, timeMs: number) => {
      const answers = new Map<string, Reply>();
      for (const path of PATHS) answers.set(path, await ask(server, path));
      kept.push({ kind, timeMs, answers });
    };
    await keep('begin', START_MS);
    for (let i = 1; i <= scaled(8, 80); i++) {
      const timeMs = START_MS + i * 7 * HOUR_MS;
      server.clock.nowMs = timeMs + HOUR_MS;
      const kind = await market.change();
      await publish(paths, { verb: 'test', nowMs: timeMs });
      for (const look of looks) look();
      await nextTick();
      await keep(kind, timeMs);
    }
    const differing = PATHS.filter(
      (path) => new Set(kept.map(({ answers }) => answers.get(path)!.text)).size > 2,
    );
    expect(differing.length).toBeGreaterThan(PATHS.length / 2);
    const story = kept.map(({ kind }) => kind).join(' ');
    for (const [i, { timeMs, answers, kind }] of kept.entries()) {
      const nextMs = kept[i + 1]?.timeMs ?? timeMs + HOUR_MS;
      for (const [path, answer] of answers) {
        for (const ms of [timeMs, nextMs - 1]) {
          const later = await ask(server, path, new Date(ms).toISOString());
          expect(contentOf(later), `${path} after ${i} ${kind} of ${story}`).toEqual(
            contentOf(answer),
          );
        }
      }
    }
  },
);

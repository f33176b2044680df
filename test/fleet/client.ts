/** A client of all machines: what each responds is of one version, right, and never older. */

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from '../cli/support/ask.ts';
import { closeOf, STOCKS } from '../faults/support/small-market.ts';

/** Between two requests to one machine. */
const PAUSE_MS = 10;

/** A killed server loses the counts of half a second, and more where its process had to wait. */
const UNCOUNTED_MS = 1000;

const SYMBOLS = STOCKS.join();

/** Requests whose responses show their version by the date of the newest bar. */
export const PATHS = [
  `/v1/svc/candles?symbols=${SYMBOLS}&interval=1d&from=2025-01-01&format=csv`,
  `/v1/svc/quotes/batch?symbols=${SYMBOLS}`,
  `/v1/svc/technical/${STOCKS[0]}?indicators=sma:5&limit=20`,
] as const;

export interface Target {
  name: string;
  address: string;
  /** Key of the requests. */
  headers: Record<string, string>;
}

/** State of one machine, as its client sees it. */
interface Seen {
  /** Newest date. */
  date: string;
  isUp: boolean;
  /** Requests that began before the last change of `isUp` need no response. */
  changes: number;
  /** Newest date by path. */
  dates: Map<string, string>;
  sent: number;
  /** Times of the responses with 200 of the last second, which a kill may leave uncounted. */
  lately: number[];
  answered: number;
  /** Responses that a kill may have left uncounted. */
  uncertain: number;
}

/** Requests with the key of one machine, since the start of the client. */
export interface Tally {
  sent: number;
  /** Responses with 200 that must be counted. */
  certain: number;
}

export interface ClientCounts {
  responses: number;
  /** While the machine was down. */
  refused: number;
}

export interface FleetClient {
  /** Newest date that a machine has shown; empty before the first one. */
  dateOf(name: string): string;
  /** Returns true if every path has shown a date. */
  hasSeen(name: string, date: string): boolean;
  down(name: string): void;
  up(name: string): void;
  /**
   * Counts since the last call.
   *
   * @throws {AggregateError} a response was wrong or missing, or differs from the reference.
   */
  take(): ClientCounts;
  tally(name: string): Tally;
  /** Runs something while no request is under way. */
  inSilence<T>(work: () => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Returns the dates of the sessions that the market has, oldest first. */
type Dates = () => readonly string[];

/**
 * Returns the date of a response.
 *
 * @throws {Error} its numbers are wrong, or of two versions.
 */
export function checkedDate(path: string, text: string, dates: readonly string[]): string {
  if (path === PATHS[0]) return dateOfBars(text, dates);
  if (path === PATHS[1]) return dateOfQuotes(text, dates);
  const { candles, indicators } = JSON.parse(text);
  const date = String(candles.at(-1).timestamp).slice(0, 10);
  const shown = dates.slice(0, dates.indexOf(date) + 1).slice(-candles.length);
  const closes = candles.map(({ close }: { close: number }) => close);
  require(closes, shown.map((one) => closeOf(0, one)), path);
  const mean = closes.slice(-5).reduce((sum: number, close: number) => sum + close, 0) / 5;
  const { value } = indicators['sma:5'].at(-1);
  if (Math.abs(value - mean) > 1e-9) throw new Error(`average ${value} instead of ${mean}`);
  return date;
}

function dateOfBars(text: string, dates: readonly string[]): string {
  const [header, ...lines] = text.trimEnd().split('\n');
  const [date, close] = ['date', 'close'].map((name) => header.split(',').indexOf(name));
  const rows = lines.map((line) => line.split(','));
  const newest = rows[rows.length - 1][date];
  const shown = dates.slice(0, dates.indexOf(newest) + 1);
  const wanted = STOCKS.flatMap((name, i) => shown.map((one) => [name, one, closeOf(i, one)]));
  const got = rows.map((cells) => [cells[0], cells[date], Number(cells[close])]);
  require(got, wanted, 'candles');
  return newest;
}

function dateOfQuotes(text: string, dates: readonly string[]): string {
  const { data } = JSON.parse(text);
  const prices = data.map(({ price }: { price: number }) => price);
  const date = dates.findLast((one) => closeOf(0, one) === prices[0]) ?? '';
  require(prices, STOCKS.map((_, i) => closeOf(i, date)), 'quotes');
  return date;
}

function require(got: unknown, wanted: unknown, title: string): void {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  throw new Error(`${title}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}

/** Name of the target that the others are compared with. */
export const REFERENCE = 'reference';

/**
 * Sends requests to all machines, one after the other to each, until it ends.
 *
 * @param targets Machines, and the reference.
 */
export function startClient(targets: readonly Target[], dates: Dates): FleetClient {
  const seen = new Map<string, Seen>(
    targets.map(({ name }) => [
      name,
      {
        ...{ date: '', isUp: true, changes: 0, dates: new Map() },
        ...{ sent: 0, lately: [], answered: 0, uncertain: 0 },
      },
    ]),
  );
  let counts: ClientCounts = { responses: 0, refused: 0 };
  let failures: Error[] = [];
  /** Hashes of bodies by path and ETag: of the reference, and of machines. */
  const known = new Map<string, string>();
  let bodies = new Map<string, string>();
  let isEnded = false;
  let silence: Promise<unknown> | undefined;
  let underway = 0;

  /** Notes a response with 200. */
  function count(machine: Seen): void {
    machine.answered++;
    if (!machine.isUp) machine.uncertain++;
    const nowMs = performance.now();
    machine.lately.push(nowMs);
    while (machine.lately[0] < nowMs - UNCOUNTED_MS) machine.lately.shift();
  }

  async function request({ name, address, headers }: Target, path: string): Promise<void> {
    const machine = seen.get(name) as Seen;
    const { isUp, changes } = machine;
    const isDue = () => isUp && changes === machine.changes;
    machine.sent++;
    try {
      const { status, text, headers: got } = await ask(address + path, { headers });
      if (status === 200) count(machine);
      if (status !== 200) throw new Error(`status ${status}: ${text}`);
      const date = checkedDate(path, text, dates());
      if (date < machine.date) throw new OlderError(`${date} after ${machine.date}`);
      machine.date = date;
      machine.dates.set(path, date);
      const key = `${path} ${got.etag}`;
      const hash = createHash('sha256').update(text).digest('hex');
      const kept = name === REFERENCE ? known : bodies;
      if ((kept.get(key) ?? hash) !== hash) throw new OlderError('two bodies with one ETag');
      kept.set(key, hash);
      if (name !== REFERENCE) counts.responses++;
    } catch (error) {
      const isWrong = error instanceof OlderError;
      if (!isWrong && !isDue()) counts.refused++;
      else failures.push(new Error(`${name} ${path}: ${(error as Error).message}`));
    }
  }

  async function keepAsking(target: Target): Promise<void> {
    for (let i = 0; !isEnded; i++) {
      await silence;
      underway++;
      await request(target, PATHS[i % PATHS.length]);
      underway--;
      await delay(PAUSE_MS);
    }
  }

  const ended = Promise.all(targets.map(keepAsking));
  const change = (name: string, isUp: boolean) => {
    const machine = seen.get(name) as Seen;
    if (!isUp) {
      const sinceMs = performance.now() - UNCOUNTED_MS;
      machine.uncertain += machine.lately.filter((atMs) => atMs > sinceMs).length;
    }
    machine.isUp = isUp;
    machine.changes++;
  };
  return {
    dateOf: (name) => seen.get(name)?.date ?? '',
    hasSeen: (name, date) => PATHS.every((path) => seen.get(name)?.dates.get(path) === date),
    down: (name) => change(name, false),
    up: (name) => change(name, true),
    take() {
      for (const [key, hash] of bodies) {
        if (known.get(key) === hash) continue;
        failures.push(new Error(`${key}: ${known.has(key) ? 'another body' : 'no version'}`));
      }
      const [failed, taken] = [failures, counts];
      failures = [];
      bodies = new Map();
      counts = { responses: 0, refused: 0 };
      if (failed.length === 0) return taken;
      const some = failed.slice(0, 5).map(({ message }) => message);
      throw new AggregateError(failed, `${failed.length} wrong responses: ${some.join('; ')}`);
    },
    tally(name) {
      const { sent, answered, uncertain } = seen.get(name) as Seen;
      return { sent, certain: answered - uncertain };
    },
    async inSilence(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      silence = promise;
      try {
        while (underway > 0) await delay(PAUSE_MS);
        return await work();
      } finally {
        silence = undefined;
        resolve();
      }
    },
    async end() {
      isEnded = true;
      await ended;
    },
  };
}

/** A response that no state of the machine excuses. */
class OlderError extends Error {}

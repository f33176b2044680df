/**
 * A night of files on one machine: a process that loads files of synthetic bars into DuckDB's store
 * and publishes, and a reader. Loads, store and publish are the program's own.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { backfill } from '../../jobs/load/backfill.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { fetchFiles } from '../../src/ingest/files/source.ts';
import { MANIFEST_NAME } from '../../src/store/arrow/format/manifest.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { whileRefused } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import { Random } from './random.ts';
import type { Simulation } from './simulation.ts';
import { writeFileSync } from './world/files.ts';

const SYMBOLS = ['AAAA', 'BBBB'];
const FIRST_DAY = dayFromDate('2024-01-02');
const DAYS = [...sessionsBetween(FIRST_DAY, FIRST_DAY + 40)];
const LOADS_MAX = 3;
const DAY_US = 86_400_000_000n;
const QUIET_MS = 60_000;

/** A file: bars of some days of a symbol. */
interface Load {
  symbol: string;
  bars: Map<number, number>;
}

export class LoadsNight {
  publishes = 0;
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #paths: ModePaths;
  readonly #loads: Load[] = [];
  /** Loads whose command has ended. */
  #ended = 0;
  readonly #dataDir: string;

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    this.#random = new Random(now.seed, 'loads');
    const disk = addDisk('machine');
    this.#dataDir = join(disk.root, 'data');
    mkdirSync(this.#dataDir, { recursive: true });
    this.#paths = modePaths(this.#dataDir, 'live');
    now.start('load', disk, () => this.#load());
    now.start('read', disk, () => this.#read());
  }

  async #load(): Promise<void> {
    for (;;) {
      await this.#now.turn('rest', this.#random.between(100, 2000));
      if (this.#ended === LOADS_MAX) continue;
      // A command that was killed is given again.
      if (this.#loads.length === this.#ended) this.#loads.push(this.#nextLoad());
      const number = this.#loads.length;
      await whileRefused(this.#now, () => this.#loadFile(number));
      this.#ended = number;
      this.publishes++;
      this.#check();
    }
  }

  /** Appends some days to a symbol, or corrects some of them. */
  #nextLoad(): Load {
    const symbol = this.#random.pick(SYMBOLS);
    const from = this.#random.below(10);
    const days = DAYS.slice(from, from + 5 + this.#random.below(10));
    const close = () => 10 + this.#random.below(100) / 100;
    return { symbol, bars: new Map(days.map((day) => [day, close()])) };
  }

  async #loadFile(number: number): Promise<void> {
    const { symbol, bars } = this.#loads[number - 1];
    const path = join(this.#dataDir, `${symbol}.${number}.csv`);
    const lines = [...bars].map(([day, close]) => `${dateFromDay(day)},${symbol},${barOf(close)}`);
    writeFileSync(path, `date,symbol,open,high,low,close,volume\n${lines.join('\n')}\n`);
    const nowMs = Math.floor(this.#now.nowMs);
    const deps = { verb: 'backfill files', nowMs, guarded: 'none' } as const;
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: this.#dataDir });
    const context = { paths: this.#paths, settings, nowMs, fileAsOfUs: BigInt(number) * DAY_US };
    const { accepted, alreadyLoaded } = await backfill(
      this.#paths,
      fetchFiles({ path }, context),
      deps,
    );
    this.#now.tell(`loaded ${accepted} of ${bars.size} bars, ${alreadyLoaded} were known`);
  }

  async #read(): Promise<void> {
    let newest = 0;
    for (;;) {
      const version = this.#check();
      if (version < newest) this.#now.violate('never an older version', `${version}`);
      newest = version;
      await this.#now.turn('rest', this.#random.between(100, 400));
    }
  }

  /** Each number of the published version is that of the loads that have ended, and perhaps one. */
  #check(): number {
    const { serving } = this.#paths;
    if (!existsSync(join(serving, MANIFEST_NAME))) {
      if (this.#ended > 0) this.#now.violate('what was acknowledged is there', 'no version');
      return 0;
    }
    const version = openPublished(serving);
    if (!version) return 0;
    const served = SYMBOLS.map((symbol) => {
      if (!version.symbols.includes(symbol)) return '';
      const { timestampUs, open, high, low, close, volume } = version.bars(symbol, '1d');
      return [...timestampUs]
        .map((us, i) => `${us / DAY_US}:${[open, high, low, close, volume].map((c) => c[i])}`)
        .join('\n');
    });
    const isFold = [this.#ended, this.#loads.length].some(
      (count) => `${this.#fold(count)}` === `${served}`,
    );
    if (!isFold) {
      this.#now.violate('numbers equal the fold', `${served}, not ${this.#fold(this.#ended)}`);
    }
    return version.manifest.version;
  }

  /** Returns the bars of each symbol after so many loads, in plain code. */
  #fold(count: number): string[] {
    return SYMBOLS.map((symbol) => {
      const closes = new Map<number, number>();
      for (const load of this.#loads.slice(0, count)) {
        if (load.symbol !== symbol) continue;
        for (const [day, close] of load.bars) closes.set(day, close);
      }
      const days = [...closes].sort(([a], [b]) => a - b);
      return days.map(([day, close]) => `${day}:${barOf(close)}`).join('\n');
    });
  }

  async end(): Promise<void> {
    await this.#now.run(this.#now.elapsedMs + QUIET_MS);
  }

  checkEnd(): void {
    if (this.#ended < LOADS_MAX) this.#now.violate('work ends', `${this.#ended} loads have ended`);
  }
}

function barOf(close: number): string {
  return `${close},${close + 1},${close - 1},${close},${Math.round(close * 100)}`;
}

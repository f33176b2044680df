/**
 * A night of files on one machine: a process that loads files of synthetic bars into DuckDB's store
 * and publishes, and a reader. Loads, store and publish are the program's own.
 */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BackfillReport } from '../../jobs/contract/reports.ts';
import { backfill } from '../../jobs/load/backfill.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { fetchFiles } from '../../src/ingest/files/source.ts';
import { MANIFEST_NAME } from '../../src/store/arrow/format/manifest.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { whileRefused } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import { checkClean } from './fleet-end.ts';
import { type Load, servedAfter, unservedBy } from './loads-fold.ts';
import { Random } from './random.ts';
import type { Simulation } from './simulation.ts';
import { utimesSync, writeFileSync } from './world/files.ts';

const SYMBOLS = ['AAAA', 'BBBB'];
const FIRST_DAY = dayFromDate('2024-01-02');
const DAYS = [...sessionsBetween(FIRST_DAY, FIRST_DAY + 40)];
const LOADS_MAX = 3;
const DAY_US = 86_400_000_000n;
const QUIET_MS = 60_000;
const FIRST_MODIFIED_S = 1_760_000_000;

export class LoadsNight {
  publishes = 0;
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #disk: Disk;
  readonly #paths: ModePaths;
  readonly #loads: Load[] = [];
  /** Loads whose command has ended. */
  #ended = 0;
  readonly #dataDir: string;
  /** The version that the reader has seen last. */
  readonly #seen = new Map<string, string>();

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    this.#random = new Random(now.seed, 'loads');
    this.#disk = addDisk('machine');
    this.#dataDir = join(this.#disk.root, 'data');
    mkdirSync(this.#dataDir, { recursive: true });
    this.#paths = modePaths(this.#dataDir, 'live');
    now.start('load', this.#disk, () => this.#load());
    now.start('read', this.#disk, () => this.#read());
  }

  async #load(): Promise<void> {
    for (;;) {
      await this.#now.turn('rest', this.#random.between(100, 2000));
      if (this.#ended === LOADS_MAX) continue;
      // A command that was killed is given again.
      if (this.#loads.length === this.#ended) this.#loads.push(this.#nextLoad());
      const number = this.#loads.length;
      await whileRefused(this.#now, () => this.#untilRead(() => this.#loadFile(number)));
      this.#ended = number;
      this.publishes++;
      this.#check();
    }
  }

  /** Repeats a command that ends with an error because what it read was flipped. */
  async #untilRead(work: () => Promise<void>): Promise<void> {
    while (!(await work().then(() => true, this.#noteDamage))) {
      await this.#now.turn('give the command again', 300);
    }
  }

  /** @throws what is no damage, or damage without a flip. */
  #noteDamage = (error: unknown): false => {
    if (!(error instanceof CorruptDataError) || this.#disk.flips === 0) throw error;
    this.#now.tell(`damage is read: ${error.message}`);
    return false;
  };

  /** Appends some days to a symbol, or corrects some of them, by a file as new as any other. */
  #nextLoad(): Load {
    const random = this.#random;
    const number = this.#loads.length + 1;
    const symbol = random.pick(SYMBOLS);
    const from = random.below(10);
    const days = DAYS.slice(from, from + 5 + random.below(10));
    const bars = new Map(days.map((day) => [day, barOf(10 + random.below(100) / 100)]));
    const isSamePlace = random.next() < 0.3;
    const name = isSamePlace ? `${symbol}.csv` : `${symbol}.${number}.csv`;
    // A file that replaces another was changed after it.
    const modifiedS = FIRST_MODIFIED_S + number + 10 * (isSamePlace ? 1000 : random.below(1000));
    const asOfDay = random.next() < 0.3 ? FIRST_DAY + random.below(60) : undefined;
    return { symbol, bars, name, modifiedS, asOfDay };
  }

  async #loadFile(number: number): Promise<void> {
    const { symbol, bars, name, modifiedS, asOfDay } = this.#loads[number - 1];
    const path = join(this.#dataDir, name);
    const lines = [...bars].map(([day, bar]) => `${dateFromDay(day)},${symbol},${bar}`);
    writeFileSync(path, `date,symbol,open,high,low,close,volume\n${lines.join('\n')}\n`);
    utimesSync(path, new Date(modifiedS * 1000), new Date(modifiedS * 1000));
    const nowMs = Math.floor(this.#now.nowMs);
    const deps = { verb: 'backfill files', nowMs, guarded: 'none' } as const;
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: this.#dataDir });
    const context = { paths: this.#paths, settings, nowMs };
    const options = {
      path,
      asOfUs: asOfDay === undefined ? undefined : String(BigInt(asOfDay) * DAY_US),
    };
    const report = await backfill(this.#paths, fetchFiles(options, context), deps);
    const { accepted, alreadyLoaded } = report;
    this.#now.tell(`loaded ${accepted} of ${bars.size} bars, ${alreadyLoaded} were known`);
    if (alreadyLoaded === 0) this.#checkNotes(report, number);
  }

  /** A report names the first bar of its file that is not served, and counts the others. */
  #checkNotes({ notes }: BackfillReport, number: number): void {
    const unserved = unservedBy(this.#loads.slice(0, number));
    const note = notes.find((text) => text.includes('stored and not served')) ?? '';
    const { symbol } = this.#loads[number - 1];
    const [first] = unserved;
    const isNamed = unserved.length === 0 || note.includes(`${symbol} ${dateFromDay(first)}`);
    if (isNamed && (unserved.length > 0 || note === '')) return;
    const days = unserved.map(dateFromDay);
    this.#now.violate('a report names what is not served', `${days} of load ${number}: ${notes}`);
  }

  async #read(): Promise<void> {
    let newest = 0;
    for (;;) {
      const version = this.#check() ?? newest;
      if (version < newest) this.#now.violate('never an older version', `${version}`);
      newest = version;
      const factor = this.#now.faults.isOn ? 1 : 5;
      await this.#now.turn('rest', factor * this.#random.between(100, 400));
    }
  }

  /**
   * Each number of the published version is that of the loads that have ended, and perhaps one.
   *
   * @returns its number; undefined if it can't be read.
   */
  #check(): number | undefined {
    const { serving } = this.#paths;
    if (!existsSync(join(serving, MANIFEST_NAME))) {
      if (this.#ended > 0) this.#now.violate('what was acknowledged is there', 'no version');
      return 0;
    }
    try {
      using version = openPublished(serving);
      if (!version) return 0;
      const served = SYMBOLS.map((symbol) => {
        if (!version.symbols.includes(symbol)) return '';
        const { timestampUs, open, high, low, close, volume } = version.bars(symbol, '1d');
        return [...timestampUs]
          .map((us, i) => `${us / DAY_US}:${[open, high, low, close, volume].map((c) => c[i])}`)
          .join('\n');
      });
      this.#now.compared++;
      const folds = [this.#ended, this.#loads.length].map((count) => `${this.#fold(count)}`);
      if (!folds.includes(`${served}`)) {
        this.#now.violate('numbers equal the fold', `${served}, not ${folds[0]}`);
      }
      this.#seen.set('read', version.id);
      return version.manifest.version;
    } catch (error) {
      this.#noteDamage(error);
      return undefined;
    }
  }

  #fold(count: number): string[] {
    const loads = this.#loads.slice(0, count);
    return SYMBOLS.map((symbol) => {
      const days = [...servedAfter(loads, symbol)].sort(([a], [b]) => a - b);
      return days.map(([day, bar]) => `${day}:${bar}`).join('\n');
    });
  }

  async end(): Promise<void> {
    await this.#now.run(this.#now.elapsedMs + QUIET_MS);
  }

  checkEnd(): void {
    if (this.#ended < LOADS_MAX) this.#now.violate('work ends', `${this.#ended} loads have ended`);
    checkClean(this.#now, { disk: this.#disk, paths: this.#paths, seen: this.#seen });
    const { scratch } = this.#paths;
    const left = existsSync(scratch) ? readdirSync(scratch) : [];
    if (left.length > 0) this.#now.violate('nothing is left over', `scratch files ${left}`);
  }
}

function barOf(close: number): string {
  return `${close},${close + 1},${close - 1},${close},${Math.round(close * 100)}`;
}

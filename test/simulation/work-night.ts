/**
 * A night of work on one machine: two processes over one job table, two servers over one file of
 * accounts, a relay of events and two processes that deliver them.
 */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../../jobs/contract/reports.ts';
import { type Run, taskFromId } from '../../jobs/contract/run.ts';
import { JobLedger } from '../../jobs/ledger/ledger.ts';
import { EmbeddedRunner } from '../../jobs/runner/embedded.ts';
import { keepRuns } from '../../jobs/runner/keep-runs.ts';
import { type Settings, settingsFromEnv } from '../../src/base/config/config.ts';
import { jobsPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { AccountsPart, whileRefused } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import { Random } from './random.ts';
import { outside, type Simulation } from './simulation.ts';
import { newOutside, type Outside, outsideOfNight } from './world/work.ts';

/** Jumps after the faults, in which what waits for hours becomes due. */
const JUMPS_MS = [0, 600_000, 3_600_000, 10 * 3_600_000, 20 * 3_600_000];
const QUIET_MS = 5_000;
const TICK_MS = 200;
/** Nights with an operator, and shares of runs that are cancelled, or after which failed tasks are retried. */
const NIGHTS_OF_OPERATORS = 0.2;
const CANCELLED = 0.1;
const RETRIED = 0.3;
/** Nights in which commands are given again. */
const NIGHTS_OF_REPEATS = 0.3;
/** Nights with two more operators, who look once a second. */
const NIGHTS_OF_TWO = 0.15;
const LOOK_MS = 1000;

/** Lets all come to rest, also over jumps of the clock. */
export async function endOfWork(now: Simulation): Promise<void> {
  for (const jumpMs of JUMPS_MS) {
    now.nowMs += jumpMs;
    await now.run(now.elapsedMs + QUIET_MS);
  }
}

export class WorkNight {
  readonly publishes = 0;
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #outside: Outside;
  readonly #accounts: AccountsPart;
  readonly #dataDir: string;
  readonly #operator: Random | undefined;
  /** Draws runs, in nights whose commands are given again and again. */
  readonly #repeats: Random | undefined;
  /** Runs that were added, by what was said of them. */
  readonly #runs = new Map<string, Run>();
  /** Runs that were seen to be done. */
  readonly #done = new Set<string>();

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    this.#random = new Random(now.seed, 'work');
    this.#outside = newOutside();
    this.#operator = operatorOf(now, this.#outside, 'operator');
    const repeats = new Random(now.seed, 'repeats');
    if (repeats.next() < NIGHTS_OF_REPEATS) this.#repeats = repeats;
    this.#accounts = new AccountsPart(now, this.#outside);
    const disk = addDisk('worker');
    this.#dataDir = join(disk.root, 'data');
    mkdirSync(this.#dataDir, { recursive: true });
    for (const name of ['start', 'schedule']) now.start(name, disk, () => this.#runJobs());
    startTwo(now, disk, this.#outside, () => {
      let runner: EmbeddedRunner | undefined;
      return () =>
        whileRefused(now, () => {
          runner ??= new EmbeddedRunner({ settings: this.#settings() });
          return this.#retry(runner);
        });
    });
    this.#accounts.start(disk, ['server1', 'server2', 'deliver1', 'deliver2', 'relay']);
    this.#tick();
  }

  end(): Promise<void> {
    return endOfWork(this.#now);
  }

  #settings(): Settings {
    return settingsFromEnv({ TAPEWORKS_DATA_DIR: this.#dataDir });
  }

  async #runJobs(): Promise<void> {
    const now = this.#now;
    const settings = this.#settings();
    let made: EmbeddedRunner | undefined;
    await whileRefused(now, async () => {
      made ??= new EmbeddedRunner({ settings, isKeeper: true });
    });
    const runner = made as EmbeddedRunner;
    void keepRuns(runner, new AbortController().signal);
    while (now.faults.isOn) {
      const restMs = this.#random.between(200, 1500);
      await now.turn('rest', this.#repeats ? restMs / 5 : restMs);
      await whileRefused(now, async () => {
        // Both processes may ask for the same run.
        const run = this.#nextRun();
        const isAdded = await runner.enqueue(run);
        if (isAdded) this.#done.delete(run.id);
        // A process that was killed may have added it earlier.
        if (isAdded) this.#runs.set(run.id, run);
        else if (!this.#runs.has(run.id)) this.#runs.set(run.id, { ...run, createdMs: 0 });
        if (!this.#operator) return;
        if (this.#operator.next() < CANCELLED) await runner.cancel(run.id);
        if (this.#operator.next() < RETRIED) await this.#retry(runner);
      });
    }
  }

  /** Returns a run of a schedule, or in some nights one of a command that was given before. */
  #nextRun(): Run {
    const { nowMs, elapsedMs } = this.#now;
    const repeats = this.#repeats;
    if (!repeats || repeats.next() < 0.3) return runOf(`run${Math.floor(elapsedMs / 1000)}`);
    return runOf(`again${repeats.below(2)}`, { tick: undefined, createdMs: Math.floor(nowMs) });
  }

  /** Gives failed tasks again, as a run of their own. */
  async #retry(runner: EmbeddedRunner): Promise<void> {
    const added = await runner.retry('all');
    outside(() => {
      using ledger = new JobLedger(jobsPaths(this.#dataDir).ledger);
      for (const id of added) this.#runs.set(id, runOf(id, { tasks: ledger.tasks(id) }));
    });
  }

  /** Looks, all night, that each added run is there, and is loaded once it is done. */
  #tick(): void {
    this.#now.later(undefined, TICK_MS, 'tick', () => {
      this.#tick();
      this.#checkRuns();
    });
  }

  async checkEnd(): Promise<void> {
    for (const id of this.#checkRuns()) this.#now.violate('work ends', `run ${id} waits`);
    this.#checkLeft();
    await this.#accounts.checkEnd();
  }

  /** Returns the runs that wait. */
  #checkRuns(): string[] {
    const { ledger: path } = jobsPaths(this.#dataDir);
    if (!existsSync(path)) return [];
    const ledger = new JobLedger(path);
    const waiting: string[] = [];
    for (const [id, run] of this.#runs) {
      if (this.#done.has(id)) continue;
      const { state, report, head, reason } = ledger.run(id) ?? {};
      if (!state) this.#now.violate('what was acknowledged is there', `run ${id} is unknown`);
      if (state === 'waiting') waiting.push(id);
      if (state === 'dead' && !reason) this.#now.violate('work ends', `${id} gives no reason`);
      if (state !== 'done') continue;
      this.#done.add(id);
      if (!report || head?.isCancelled) continue;
      // A clock that jumps says when failed tasks were given again.
      const plannedMs = run.tick === undefined ? run.createdMs : 0;
      checkLoaded(this.#now, this.#outside, run, { ...report, plannedMs });
      this.#checkFailed(run, report);
    }
    ledger.close();
    return waiting;
  }

  #checkLeft(): void {
    const { owners } = jobsPaths(this.#dataDir);
    if (!existsSync(owners)) return;
    // One of each process that lives, and those whose folder nobody opened since.
    const left = readdirSync(owners).length;
    if (left > 10) this.#now.violate('nothing is left over', `${left} locks of owners`);
  }

  /** A task fails for what its vendor answered, again and again: no staged result is lost. */
  #checkFailed({ id, tasks }: Run, { deadJobs }: RunReport): void {
    const lost = deadJobs.find(({ kind }) => kind === 'store');
    if (lost) this.#now.violate('work ends', `run ${id} without ${lost.id}: ${lost.reason}`);
    for (const { id: task, kind } of deadJobs) {
      const [name = ''] = tasks[taskFromId(task).index].slice.symbols ?? [];
      const tries = this.#outside.asked.get(name) ?? 0;
      const isEarly = kind === 'rate-limited' && tries < limits.jobs.rateLimitedTriesMax;
      if (isEarly) this.#now.violate('work ends', `${task} is given up after ${tries} tries`);
    }
  }
}

/** Returns when an operator acts, in nights that have one. Loads may be refused there. */
export function operatorOf(now: Simulation, parts: Outside, name: string): Random | undefined {
  const operator = new Random(now.seed, name);
  parts.hasOperator = operator.next() < NIGHTS_OF_OPERATORS;
  return parts.hasOperator ? operator : undefined;
}

/**
 * Starts two operators in some nights. Both retry at once what has failed.
 *
 * @param begin Starts the process of one, and returns what it does again and again.
 */
export function startTwo(
  now: Simulation,
  disk: Disk,
  parts: Outside,
  begin: () => () => Promise<void>,
): void {
  if (new Random(now.seed, 'two').next() >= NIGHTS_OF_TWO) return;
  parts.hasOperator = true;
  for (const name of ['operator1', 'operator2']) {
    now.start(name, disk, async () => {
      const retry = begin();
      for (;;) {
        await now.turn('look', LOOK_MS - (now.elapsedMs % LOOK_MS));
        if (now.faults.isOn) await retry();
      }
    });
  }
}

/** Makes a run of three tasks. */
export function runOf(id: string, more: Partial<Run> = {}): Run {
  const tasks = [0, 1, 2].map((index) => ({
    title: `${index}`,
    slice: { symbols: [`${id}.${index}`] },
  }));
  return {
    ...{ id, mode: 'live', source: 'yahoo', verb: 'backfill yahoo', tick: id },
    ...{ priority: 'daily', createdMs: 0, childCount: tasks.length },
    ...{ tasks, shared: outsideOfNight().shared, ...more },
  };
}

/** Checks that a whole answer to each task of a run that is done is in the store, or that it failed. */
export function checkLoaded(
  now: Simulation,
  { answers, loaded, published }: Outside,
  { id, tasks }: Run,
  report: Pick<RunReport, 'deadJobs' | 'plannedMs'> | undefined,
): void {
  const failed = new Set(report?.deadJobs.map((dead) => taskFromId(dead.id).index));
  if (!published.has(id)) {
    now.violate('what was acknowledged is there', `run ${id} was never loaded`);
  }
  for (const [index, { title, slice }] of tasks.entries()) {
    const given = answers.get(slice.symbols?.[0] ?? '') ?? [];
    if (failed.has(index)) continue;
    // One of an earlier run is not what this one asked for.
    const own = given.filter(({ atMs }) => atMs >= (report?.plannedMs ?? 0));
    if (own.some(({ ids }) => ids.every((one) => loaded.has(one)))) continue;
    now.violate('what was acknowledged is there', `task ${title} of ${id} is not loaded`);
  }
}

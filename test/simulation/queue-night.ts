/**
 * A night of jobs in Redis: two workers beside the store, commands that add runs and wait for them,
 * in half of the nights a worker of another machine, and deliveries by jobs.
 */

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { maintenanceRun, type Run } from '../../jobs/contract/run.ts';
import type { RunOutcome } from '../../jobs/contract/runner.ts';
import { removeOld } from '../../jobs/maintenance/retention.ts';
import { MISSING_RESULT } from '../../jobs/processors/load.ts';
import { QUEUE_NAMES } from '../../jobs/redis/queues.ts';
import { openRedisRunner, type RedisRunner } from '../../jobs/redis/redis-runner.ts';
import { runWorker } from '../../jobs/redis/worker.ts';
import { type Settings, settingsFromEnv } from '../../src/base/config/config.ts';
import { isDiskFull } from '../../src/base/disk-full.ts';
import { CorruptDataError, QueueUnavailableError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { ObjectStoreError } from '../../src/store/objects/object-store.ts';
import { AccountsPart, whileRefused } from './accounts-part.ts';
import type { Disk } from './disk.ts';
import { type Bucket, newBucket } from './object-store.ts';
import { Random } from './random.ts';
import { current, outside, type Simulation } from './simulation.ts';
import { checkLoaded, endOfWork, operatorOf, runOf, startTwo } from './work-night.ts';
import { newRedis } from './world/ioredis.ts';
import { type Jobs, newJobs } from './world/job-connection.ts';
import { newOutside, type Outside } from './world/work.ts';

const URL = 'redis://night';
/** Place of staged results. */
const SEGMENTS = '/bucket/';
/**
 * In hasty nights jobs stall and staged files go within the night, and commands repeat one run, for
 * longer.
 */
const NIGHTS_OF_HASTE = 0.5;
const HASTY = { lockMs: 1000, stalledMs: 500 };
const HASTY_BACKOFF_MS = 20;
const HASTY_KEPT_MS = [100, 1000] as const;
const HASTY_MS = 30_000;

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const FLIP_MS = 100;
const LAST_QUIET_MS = 45_000;
/** Quiet of nights in which all locks are short. */
const SHORT_QUIET_MS = 6_000;

/** Files and folders that a data folder keeps. */
const STAYS =
  /^\/data(\/store\.json|\/webhook\.key|\/accounts\.sqlite.*|\/live(\/scratch|\/segments(\/plans)?)?)?$/;
/** Segments stay on the machine that loads, also those that no run has loaded. */
const SEGMENT = /^\/data\/live\/segments\/[0-9a-f]{64}\.parquet[^/]*$/;

/** Runs with these names are asked for again and again; others have a time of a schedule. */
const REPEATED = 3;

/** A command that a user gave, and gives again until it has ended. */
interface Command {
  run?: Run;
  given: number;
}

/** Parts of a night of jobs that the other parts of a whole one share. */
export interface WholeParts {
  bucket: Bucket;
  outside: Outside;
  accounts: AccountsPart;
  /** Lets the other parts come to rest. */
  end: () => Promise<void>;
  /** Other files that stay. */
  stays: RegExp;
}

export class QueueNight {
  readonly publishes = 0;
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #outside: Outside;
  readonly #accounts: AccountsPart;
  readonly #whole: WholeParts | undefined;
  readonly #bucket: Bucket;
  readonly #disks: Disk[] = [];
  readonly #jobs: Jobs = newJobs();
  readonly #redis = newRedis();
  readonly #hasMachines: boolean;
  readonly #isHasty: boolean;
  readonly #quietMs: number;
  readonly #commands = new Map<string, Command>();
  #isOldRemoved = false;

  constructor(now: Simulation, addDisk: (name: string) => Disk, whole?: WholeParts) {
    this.#now = now;
    this.#whole = whole;
    this.#bucket = whole?.bucket ?? newBucket();
    this.#random = new Random(now.seed, 'queue');
    this.#outside = whole?.outside ?? newOutside();
    this.#outside.hasEpochs = true;
    if (!whole) operatorOf(now, this.#outside, 'doubts');
    this.#accounts = whole?.accounts ?? new AccountsPart(now, this.#outside);
    this.#hasMachines = this.#random.next() < 0.5;
    // In half of the nights, runs are added piece by piece behind a gate.
    if (this.#random.next() < 0.5) Object.assign(limits.jobs, { addedAtOnce: 2 });
    const pace = new Random(now.seed, 'pace');
    const isHasty = pace.next() < NIGHTS_OF_HASTE;
    this.#isHasty = isHasty && !whole;
    this.#quietMs = whole ? SHORT_QUIET_MS : LAST_QUIET_MS;
    if (isHasty || whole) {
      Object.assign(limits.redis, { ...HASTY, stagedKeptMs: pace.between(...HASTY_KEPT_MS) });
      Object.assign(limits.jobs, { backoffFirstMs: HASTY_BACKOFF_MS });
    }
    const store = addDisk('store');
    this.#disks.push(store);
    const settings = this.#settingsOf(store);
    for (const name of ['worker1', 'worker2']) now.start(name, store, () => this.#work(settings));
    for (const name of ['command1', 'command2']) {
      this.#commands.set(name, { given: 0 });
      now.start(name, store, () => this.#ask(name, settings));
    }
    if (!whole) {
      const retry = () => passing(now, () => this.#retryAll(settings));
      startTwo(now, store, this.#outside, () => retry);
    }
    this.#accounts.start(store, whole ? ['relay', 'server'] : ['relay']);
    if (this.#hasMachines) {
      const other = addDisk('other');
      this.#disks.push(other);
      now.start('worker3', other, () => this.#work(this.#settingsOf(other), ['fetch']));
    }
    this.#mayLoseSecond();
    this.#mayFlip(new Random(now.seed, 'bucket'));
  }

  /** Flips bits of staged results where they are kept: their tasks fail, and say so. */
  #mayFlip(random: Random): void {
    const now = this.#now;
    now.later(undefined, FLIP_MS, 'tick', () => {
      if (now.happens('flipped bit')) this.#bucket.flipBit(random, SEGMENTS);
      if (now.faults.isOn) this.#mayFlip(random);
    });
  }

  #settingsOf(disk: Disk): Settings {
    const dataDir = join(disk.root, 'data');
    mkdirSync(dataDir, { recursive: true });
    return settingsFromEnv({
      ...{ TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_REDIS_URL: URL },
      ...(this.#hasMachines && { TAPEWORKS_SEGMENTS_URL: 'file:///bucket' }),
    });
  }

  /** Redis comes back without its last second at times. */
  #mayLoseSecond(): void {
    const now = this.#now;
    const before = structuredClone([this.#jobs.state, this.#redis.keys] as const);
    now.later(undefined, SECOND_MS, 'a second of Redis', () => {
      if (now.happens('lost second of Redis')) [this.#jobs.state, this.#redis.keys] = before;
      this.#mayLoseSecond();
    });
  }

  async #work(settings: Settings, queues?: ['fetch']): Promise<void> {
    const now = this.#now;
    const controller = new AbortController();
    const { signal } = controller;
    // Node keeps signals that are joined as long as one of them may abort.
    current()?.open.add(() => controller.abort());
    const log = {
      job: ({ job, outcome, reason = '' }: { job: string; outcome: string; reason?: string }) =>
        now.tell(`${job} ${outcome} ${reason}`),
      note: (text: string) => now.tell(text),
      unforeseen: (job: string, error: unknown) => {
        if (!isPassing(error)) now.violate('no call fails unseen', `${job}: ${describe(error)}`);
      },
    };
    await whileRefused(now, () =>
      runWorker({
        ...{ settings, url: URL, queues, log, signal, onReady: () => {} },
        deliver: (end) => this.#accounts.deliverByJobs({ url: URL, jobLog: log, signal: end }),
        follow: async () => {},
      }),
    );
  }

  /** Gives a command until it has ended, and then the next. */
  async #ask(name: string, settings: Settings): Promise<void> {
    const now = this.#now;
    const command = this.#commands.get(name)!;
    let runner: RedisRunner | undefined;
    for (;;) {
      const restMs = this.#random.between(100, 1500);
      await now.turn('rest', this.#isHasty ? restMs / 10 : restMs);
      if (!command.run && now.faults.isOn) command.run = this.#nextRun(name, command);
      if (!command.run) continue;
      await passing(now, async () => {
        runner ??= await openRedisRunner(settings, URL);
        await this.#runOnce(runner, command.run!);
        command.run = undefined;
      });
    }
  }

  /** Retries all that has failed, as a command of its own. */
  async #retryAll(settings: Settings): Promise<void> {
    await using runner = await openRedisRunner(settings, URL);
    await this.#retry(runner);
  }

  /** Retries what has failed. It refuses to, where a bit of what a run shares was flipped. */
  async #retry(runner: RedisRunner): Promise<void> {
    await runner.retry('all').catch((error) => {
      const isFlipped = this.#now.faults.counts.has('flipped bit');
      if (!isFlipped || !(error instanceof CorruptDataError)) throw error;
    });
  }

  #nextRun(name: string, command: Command): Run {
    const createdMs = Math.floor(this.#now.nowMs);
    const kind = this.#random.next();
    const number = ++command.given;
    if (kind < 0.2) return maintenanceRun({ mode: 'live', task: 'compact' }, createdMs);
    if (kind < 0.6 && !this.#isHasty) return runOf(`tick${number}`, { createdMs });
    const id = `${name}run${this.#isHasty ? 0 : this.#random.below(REPEATED)}`;
    return runOf(id, { createdMs, tick: undefined });
  }

  async #runOnce(runner: RedisRunner, run: Run): Promise<void> {
    const isAdded = await runner.enqueue(run);
    this.#now.tell(`${isAdded ? 'added' : 'found'} ${run.id}`);
    if (this.#random.next() < 0.1) await runner.cancel(run.id);
    const outcome = await runner.finished(run.id, {});
    this.#checkOutcome(run, outcome);
    if (this.#random.next() < 0.3) await this.#retry(runner);
  }

  #checkOutcome(run: Run, outcome: RunOutcome): void {
    if ('failure' in outcome) {
      this.#now.tell(`${run.id} failed: ${outcome.failure.reason}`);
      if (outcome.failure.reason === '')
        this.#now.violate('work ends', `${run.id} gives no reason`);
      return;
    }
    this.#now.tell(`${run.id} ended`);
    if (run.task) return;
    const isEarly = outcome.report.plannedMs > this.#now.nowMs - limits.redis.gateMs;
    const hasLost = this.#now.faults.counts.has('lost second of Redis');
    const missing = outcome.report.deadJobs.find(({ reason }) => reason.includes('never added'));
    if (missing && isEarly && !hasLost) {
      this.#now.violate('work ends', `${run.id} is loaded before ${missing.id} is added`);
    }
    const lost = outcome.report.deadJobs.find(({ reason }) => reason === MISSING_RESULT);
    if (lost && !hasLost && !this.#now.faults.counts.has('flipped bit')) {
      this.#now.violate('what was acknowledged is there', `${lost.id} has lost what it staged`);
    }
    if (this.#jobs.state.jobs.get(`tw:load:${run.id}`)?.data.includes('isCancelled')) return;
    checkLoaded(this.#now, this.#outside, run, outcome.report);
  }

  async end(): Promise<void> {
    const now = this.#now;
    now.faults.isOn = this.#isHasty;
    if (this.#isHasty) await now.run(now.elapsedMs + HASTY_MS);
    now.faults.isOn = false;
    await endOfWork(now);
    // A worker that is replaced in a jump leaves its job to the search for stalled ones.
    await now.run(now.elapsedMs + this.#quietMs);
    await this.#checkRest();
    await this.#whole?.end();
    await this.#removeOld();
  }

  /** Lets the days pass after which nothing of a run is kept, and removes what is old. */
  async #removeOld(): Promise<void> {
    const now = this.#now;
    for (const disk of this.#disks) stampFolders(disk, disk.root);
    now.nowMs += limits.jobs.keptMs + DAY_MS;
    const [store] = this.#disks;
    now.start('retention', store, async () => {
      const removed = await removeOld(this.#settingsOf(store), now.nowMs);
      now.tell(`removed ${JSON.stringify(removed)}`);
      this.#isOldRemoved = true;
    });
    await now.run(now.elapsedMs + this.#quietMs);
  }

  async #checkRest(): Promise<void> {
    for (const [name, { run }] of this.#commands) {
      if (run) this.#now.violate('work ends', `${name} waits for ${run.id}`);
    }
    for (const queue of QUEUE_NAMES) this.#checkQueue(`tw:${queue}`);
    await outside(() => this.#accounts.checkEnd());
  }

  checkEnd(): void {
    if (!this.#isOldRemoved) this.#now.violate('work ends', 'retention goes on');
    const objects = this.#bucket.keysBelow(SEGMENTS);
    if (objects.length > 0) this.#now.violate('nothing is left over', `objects ${objects}`);
    for (const disk of this.#disks) {
      const stays = [STAYS, this.#whole?.stays, disk === this.#disks[0] ? SEGMENT : undefined];
      const left = filesBelow(disk.root).filter((path) => !stays.some((one) => one?.test(path)));
      if (left.length > 0) this.#now.violate('nothing is left over', `files ${left}`);
    }
  }

  #checkQueue(key: string): void {
    const { active, wait, prioritized, waitingChildren } = this.#jobs.queue(key);
    const open = [...active, ...wait, ...prioritized.keys(), ...waitingChildren.keys()];
    // Deliveries come again and again.
    if (open.length > 0 && key !== 'tw:webhooks') {
      this.#now.violate('work ends', `${open} are left in ${key}`);
    }
    for (const id of this.#jobs.ids(key, 'failed')) {
      const reason = this.#jobs.state.jobs.get(`${key}:${id}`)?.failedReason;
      if (!reason) this.#now.violate('work ends', `${id} failed without a reason`);
    }
  }
}

/** Gives the folders of a disk the simulated time, as its files have it. */
function stampFolders(disk: Disk, folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) stampFolders(disk, join(folder, entry.name));
  }
  disk.stamp(folder);
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name).slice(root.length),
  );
}

/** Does what Redis, the storage or a full disk may refuse. */
async function passing(now: Simulation, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPassing(error)) throw error;
    now.tell(`refused: ${describe(error)}`);
  }
}

function isPassing(error: unknown): boolean {
  const isOfStorage = error instanceof ObjectStoreError && error.isPassing;
  // A killed process finds its files closed.
  const isOurs = error instanceof QueueUnavailableError || current()?.isDead;
  return isDiskFull(error) || isOurs === true || isOfStorage;
}

function describe(error: unknown): string {
  return String((error as Error)?.message ?? error);
}

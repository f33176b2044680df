/**
 * A night of work on one machine: two processes over one job table, two servers over one file of
 * accounts, a relay of events and two processes that deliver them.
 */

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../jobs/contract/run.ts';
import { JobLedger } from '../../jobs/ledger/ledger.ts';
import { EmbeddedRunner } from '../../jobs/runner/embedded.ts';
import { keepRuns } from '../../jobs/runner/keep-runs.ts';
import { startDelivery } from '../../jobs/webhooks/deliver.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { accountsPlace, jobsPaths } from '../../src/base/config/data-dir.ts';
import { isDiskFull } from '../../src/base/disk-full.ts';
import { limits } from '../../src/base/limits.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import { openAccounts, openRecords, withAccounts } from '../../src/store/accounts/open.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import type { MarketEvent } from '../../src/store/accounts/webhooks/event-record.ts';
import type { Disk } from './disk.ts';
import { Random } from './random.ts';
import { current, type Simulation } from './simulation.ts';
import { wallMs } from './world/clock.ts';
import { newOutside, type Outside } from './world/work.ts';

/** Jumps after the faults, in which what waits for hours becomes due. */
const JUMPS_MS = [0, 600_000, 3_600_000, 10 * 3_600_000, 20 * 3_600_000];
const QUIET_MS = 5_000;

const ACCOUNT = 'default';

interface Key {
  id: string;
  rawKey: string;
  /** Set before and after its revocation. */
  isRevoking: boolean;
  revokedMs?: number;
}

/** Requests that one process has counted. */
interface Counted {
  times: number[];
  endedMs?: number;
}

export class WorkNight {
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #outside: Outside;
  readonly #dataDir: string;
  /** Runs that were added, by what was said of them. */
  readonly #runs = new Set<string>();
  readonly #keys: Key[] = [];
  readonly #counted: Counted[] = [];
  /** Events that the relay has handed over. */
  readonly #events = new Set<string>();
  #versions = 0;

  readonly publishes = 0;

  constructor(now: Simulation, addDisk: (name: string) => Disk) {
    this.#now = now;
    this.#random = new Random(now.seed, 'work');
    this.#outside = newOutside();
    const disk = addDisk('worker');
    this.#dataDir = join(disk.root, 'data');
    mkdirSync(this.#dataDir, { recursive: true });
    const start = (name: string, main: () => Promise<void>) => this.#now.start(name, disk, main);
    for (const name of ['start', 'schedule']) start(name, () => this.#runJobs());
    for (const name of ['server1', 'server2']) start(name, () => this.#serve());
    for (const name of ['deliver1', 'deliver2']) start(name, () => this.#deliver());
    start('relay', () => this.#relay());
  }

  async end(): Promise<void> {
    const now = this.#now;
    for (const jumpMs of JUMPS_MS) {
      now.nowMs += jumpMs;
      await now.run(now.elapsedMs + QUIET_MS);
    }
  }

  #rest(lowMs: number, highMs: number): Promise<void> {
    return this.#now.turn('rest', this.#random.between(lowMs, highMs));
  }

  /** Repeats work that a full disk may refuse. */
  async #whileRoom(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        this.#now.tell('refused: the disk is full');
        await this.#now.turn('wait for room', 300);
      }
    }
  }

  async #runJobs(): Promise<void> {
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: this.#dataDir });
    let made: EmbeddedRunner | undefined;
    await this.#whileRoom(async () => {
      made ??= new EmbeddedRunner({ settings, isKeeper: true });
    });
    const runner = made as EmbeddedRunner;
    void keepRuns(runner, new AbortController().signal);
    while (this.#now.faults.isOn) {
      await this.#rest(200, 1500);
      await this.#whileRoom(async () => {
        // Both processes may ask for the same run.
        const run = runOf(Math.floor(this.#now.elapsedMs / 1000));
        await runner.enqueue(run);
        this.#runs.add(run.id);
      });
    }
  }

  async #serve(): Promise<void> {
    let made: Accounts | undefined;
    await this.#whileRoom(async () => {
      made ??= openAccounts(accountsPlace(this.#dataDir, undefined));
      await made.refresh();
    });
    const accounts = made as Accounts;
    const counted: Counted = { times: [] };
    this.#counted.push(counted);
    current()?.open.add(() => {
      counted.endedMs = this.#now.nowMs;
    });
    for (;;) {
      await this.#rest(20, 200);
      if (this.#now.faults.isOn) await this.#whileRoom(() => this.#changeKeys(accounts));
      for (const key of this.#keys) this.#ask(accounts, key, counted);
    }
  }

  async #changeKeys(accounts: Accounts): Promise<void> {
    const what = this.#random.next();
    if (what < 0.1 && this.#keys.length < 20) {
      const key = { mode: 'live', label: 'k', scopes: ['all'], limit: null } as const;
      const { id, rawKey } = await accounts.createKey(key);
      this.#keys.push({ id, rawKey, isRevoking: false });
    } else if (what < 0.13 && this.#keys.length > 0) {
      const key = this.#random.pick(this.#keys);
      key.isRevoking = true;
      await accounts.revokeKey(key.id);
      key.revokedMs ??= this.#now.nowMs;
    }
  }

  #ask(accounts: Accounts, { rawKey, isRevoking, revokedMs }: Key, counted: Counted): void {
    const key = accounts.findKey(rawKey);
    if (!key && !isRevoking) this.#now.violate('what was acknowledged is there', 'a key is lost');
    if (key && revokedMs !== undefined && this.#now.nowMs > revokedMs + 1000) {
      this.#now.violate('what was acknowledged is there', 'a revoked key is admitted');
    }
    if (!key || !this.#now.faults.isOn) return;
    const use = { atMs: wallMs(), endpoint: 'quotes', method: 'GET', isError: false, tokens: 1 };
    accounts.count({ key, ...use });
    counted.times.push(this.#now.nowMs);
  }

  async #deliver(): Promise<void> {
    const place = accountsPlace(this.#dataDir, undefined);
    await this.#whileRoom(async () => {
      const accounts = openRecords(place);
      await startDelivery({
        accounts,
        settings: { webhookPrivate: true },
        signal: new AbortController().signal,
        log: {
          delivery: () => {},
          failure: (_, error) => {
            if (!isDiskFull(error)) void Promise.reject(error);
          },
        },
      });
    });
  }

  /** Hands over events as `jobs/events/relay` does: those of loads first, then those of a version. */
  async #relay(): Promise<void> {
    const place = accountsPlace(this.#dataDir, undefined);
    await this.#whileRoom(() =>
      withAccounts(place, async (accounts) => {
        const hooks = await accounts.subscriptions('live');
        if (hooks.length > 0) return;
        await accounts.createKey({ mode: 'live', label: 'w', scopes: ['all'], account: ACCOUNT });
        const url = 'https://example.com/hook';
        await accounts.createWebhook({
          account: ACCOUNT,
          mode: 'live',
          url,
          events: ['data.ready'],
        });
      }),
    );
    for (;;) {
      await this.#rest(100, 900);
      if (this.#now.faults.isOn) this.#versions++;
      await this.#whileRoom(() => withAccounts(place, (accounts) => this.#handOver(accounts)));
    }
  }

  async #handOver(accounts: Pick<Accounts, 'relayPosition' | 'addEvents' | 'advanceRelay'>) {
    const seq = this.#versions;
    const done = (await accounts.relayPosition('live'))?.seq ?? 0;
    if (seq === done) return;
    const from = (prefix: string) =>
      Array.from({ length: seq - done }, (_, i) => eventOf(`${prefix}${done + i + 1}`));
    const [loads, versions] = [from('evt_load'), from('evt_version')];
    await accounts.addEvents('live', loads);
    await this.#now.turn('events of loads are added');
    const position = { seq, storeMark: `${seq}`, version: `${seq}` };
    await accounts.advanceRelay('live', position, async (within) => {
      await within.addEvents('live', versions);
    });
    for (const { id } of [...loads, ...versions]) this.#events.add(id);
  }

  async checkEnd(): Promise<void> {
    this.#checkRuns();
    await withAccounts(accountsPlace(this.#dataDir, undefined), async (accounts) => {
      const done = (await accounts.relayPosition('live'))?.seq ?? 0;
      const { received } = this.#outside;
      for (let seq = 1; seq <= done; seq++) {
        for (const kind of ['load', 'version']) this.#events.add(`evt_${kind}${seq}`);
      }
      const lost = [...this.#events].filter((id) => !received.has(id));
      if (lost.length > 0) this.#now.violate('deliveries at least once', `not delivered: ${lost}`);
      const odd = [...received.keys()].filter((id) => !this.#events.has(id));
      if (odd.length > 0) this.#now.violate('events once per version', `delivered: ${odd}`);
      const today = dayFromMillis(this.#now.nowMs);
      const filter = { mode: 'live', fromDay: today - 9, toDay: today + 9, rowsMax: 1000 } as const;
      const usage = await accounts.dailyKeyUsage(filter);
      this.#checkCounts(usage.reduce((sum, { callCount }) => sum + Number(callCount), 0));
    });
  }

  /** A killed server may lose the counts of its last two intervals; none is doubled. */
  #checkCounts(calls: number): void {
    let [most, least] = [0, 0];
    for (const { times, endedMs } of this.#counted) {
      most += times.length;
      const keptMs =
        endedMs === undefined ? Number.POSITIVE_INFINITY : endedMs - 2 * limits.usage.flushMs;
      // On a full disk counts wait in memory.
      const isExempt = endedMs !== undefined && this.#now.faults.counts.has('full disk');
      if (!isExempt) least += times.filter((ms) => ms < keptMs).length;
    }
    if (calls > most || calls < least) {
      this.#now.violate('counts are within their bound', `${calls}, not ${least} to ${most}`);
    }
  }

  #checkRuns(): void {
    const { ledger: path, owners } = jobsPaths(this.#dataDir);
    if (!existsSync(path)) return;
    const ledger = new JobLedger(path);
    for (const id of this.#runs) {
      const state = ledger.run(id)?.state ?? 'unknown';
      if (state === 'waiting' || state === 'unknown') {
        this.#now.violate('work ends', `run ${id} is ${state}`);
      } else if (state === 'done' && !this.#outside.loaded.has(id)) {
        this.#now.violate('what was acknowledged is there', `run ${id} was never loaded`);
      }
    }
    ledger.close();
    // One of each process that lives, and those whose folder nobody opened since.
    const left = readdirSync(owners).length;
    if (left > 10) this.#now.violate('nothing is left over', `${left} locks of owners`);
  }
}

function runOf(number: number): Run {
  const tasks = [0, 1, 2].map((index) => ({ title: `${index}`, slice: {} }));
  return {
    ...{ id: `run${number}`, mode: 'live', source: 'yahoo', verb: 'backfill yahoo' },
    ...{ priority: 'daily', createdMs: 0, tick: `${number}`, childCount: tasks.length },
    ...{ tasks, shared: {} },
  };
}

function eventOf(id: string): MarketEvent {
  return { id, type: 'data.ready', occurredAtMs: 0, symbols: undefined, data: {} };
}

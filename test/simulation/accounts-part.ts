/** Accounts of a night: servers that admit and count, a relay of events, and processes that deliver them. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type DeliveryJobsOptions, deliverByJobs } from '../../jobs/redis/delivery-jobs.ts';
import { startDelivery } from '../../jobs/webhooks/deliver.ts';
import { createAuthenticator } from '../../src/api/access/authenticate.ts';
import { type AccountsPlace, accountsPlace } from '../../src/base/config/data-dir.ts';
import { isDiskFull } from '../../src/base/disk-full.ts';
import { AccountsUnreachableError, HttpError, StoreBusyError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { dayFromMillis } from '../../src/base/time/dates.ts';
import type { ValidKey } from '../../src/store/accounts/keys/key-record.ts';
import { openAccounts, openRecords, withAccounts } from '../../src/store/accounts/open.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import { newCountMemory } from '../../src/store/accounts/usage/count-memory.ts';
import { countLimits } from '../../src/store/accounts/usage/limits.ts';
import type { SharedCounts } from '../../src/store/accounts/usage/usage-counts.ts';
import type { MarketEvent } from '../../src/store/accounts/webhooks/event-record.ts';
import type { Disk } from './disk.ts';
import { Random } from './random.ts';
import { current, type Simulation } from './simulation.ts';
import { wallMs } from './world/clock.ts';
import { postgresAway, storedInPostgres } from './world/pg.ts';
import { written } from './world/sqlite.ts';
import type { Outside } from './world/work.ts';

const ACCOUNT = 'default';

const TICK_MS = 200;
const SECOND_MS = 1000;
/** Age of a look in which nothing is too old. */
const NEW_MS = 60_000;
/** Longer than keys are admitted without contact, by clocks that may be wrong. */
const STALE_MS = limits.postgres.staleMs + 300_000;
const CALLS = 'SELECT sum(calls) AS n FROM usage';

/** More than the keys of a night; the memory of a server that starts costs time by its size. */
const COUNT_LIMITS = { keysMax: 1024, accountsMax: 1024, addressesMax: 1024 };

interface Key {
  id: string;
  rawKey: string;
  createdMs: number;
  /** Set before and after its revocation. */
  isRevoking: boolean;
  revokedMs?: number;
}

/** A thread of a server, and its check of keys. */
interface Admission {
  thread: Accounts;
  admit: ReturnType<typeof createAuthenticator>;
}

/** Requests that one process has counted. */
interface Counted {
  times: number[];
  endedMs?: number;
}

/** Repeats work that a full disk, or Postgres, may refuse. */
export async function whileRefused(now: Simulation, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      now.tell(`refused: ${(error as Error).message}`);
      await now.turn('wait after a refusal', 300);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const isOfPostgres = error instanceof AccountsUnreachableError || error instanceof StoreBusyError;
  return isDiskFull(error) || isOfPostgres;
}

export class AccountsPart {
  readonly #now: Simulation;
  readonly #random: Random;
  readonly #outside: Outside;
  readonly #url: string | undefined;
  readonly #keys: Key[] = [];
  readonly #counted: Counted[] = [];
  /** Events that the relay has handed over, and those that it has begun to. */
  readonly #events = new Set<string>();
  readonly #begun = new Set<string>();
  #places: AccountsPlace[] = [];
  #versions = 0;
  /** Statements that had been run when the stored counts were compared. */
  #checked = 0;

  /** @param url Address of Postgres; undefined: a file of each machine. */
  constructor(now: Simulation, outside: Outside, url?: string) {
    this.#now = now;
    this.#random = new Random(now.seed, 'accounts');
    this.#outside = outside;
    this.#url = url;
    Object.assign(countLimits, COUNT_LIMITS);
    outside.afterReceipt = (id) => {
      if (!this.#begun.has(id)) now.violate('events once per version', `delivered: ${id}`);
    };
    this.#tick();
  }

  /** Compares, all night, what is stored with what was counted: none is ever doubled. */
  #tick(): void {
    this.#now.later(undefined, TICK_MS, 'tick', () => {
      this.#tick();
      if (!this.#url && written.statements === this.#checked) return;
      this.#checked = written.statements;
      const calls = this.#url ? storedInPostgres(CALLS) : storedInFile(this.#places[0].path, CALLS);
      const most = this.#counted.reduce((sum, { times }) => sum + times.length, 0);
      if (calls <= most) return;
      this.#now.violate('counts are within their bound', `${calls}, not up to ${most}`);
    });
  }

  /** Starts processes of a machine by their names. */
  start(disk: Disk, names: readonly string[]): void {
    const dataDir = join(disk.root, 'data');
    mkdirSync(dataDir, { recursive: true });
    const place = accountsPlace(dataDir, this.#url);
    // Machines of a fleet share it.
    if (this.#url) writeFileSync(place.keyPath, Buffer.alloc(32, 1).toString('base64'));
    this.#places.push(place);
    const mains: Record<string, () => Promise<void>> = {
      server: () => this.#serve(place),
      deliver: () => this.#deliver(place),
      relay: () => this.#relay(place),
    };
    for (const name of names) this.#now.start(name, disk, mains[name.replace(/\d$/, '')]);
  }

  /** Waits; longer when the night is over. */
  #rest(lowMs: number, highMs: number): Promise<void> {
    const factor = this.#now.faults.isOn ? 1 : 5;
    return this.#now.turn('rest', factor * this.#random.between(lowMs, highMs));
  }

  async #serve(place: AccountsPlace): Promise<void> {
    const now = this.#now;
    // The first thread writes what the others count.
    const memory = newCountMemory();
    const post: SharedCounts['post'] = (counts) => threads[0].addCounts(counts);
    const threads: Accounts[] = [];
    await whileRefused(now, async () => {
      for (const own of [{ memory }, { memory, post }].slice(threads.length)) {
        threads.push(openAccounts(place, wallMs, own));
      }
      await threads[0].refresh();
    });
    const [accounts] = threads;
    const looks: { beganMs: number; endedMs: number }[] = [];
    const admissions = threads.map((thread) => ({ thread, admit: createAuthenticator(thread) }));
    const counted: Counted = { times: [] };
    this.#counted.push(counted);
    const process = current()!;
    process.open.add(() => {
      // A process that sleeps counts and writes nothing.
      const { fromMs, untilMs } = process.sleep ?? { fromMs: now.nowMs, untilMs: 0 };
      counted.endedMs = untilMs > now.nowMs ? fromMs : now.nowMs;
    });
    for (;;) {
      await this.#rest(20, 200);
      if (now.faults.isOn) await whileRefused(now, () => this.#changeKeys(threads[now.steps % 2]));
      // A machine knows what changed before its last look, and a thread a little later. A file is
      // the accounts themselves.
      if (this.#url) {
        const beganMs = now.nowMs;
        await accounts.refresh().then(
          () => looks.push({ beganMs, endedMs: now.nowMs }),
          () => undefined,
        );
      }
      const look = looks.findLast(({ endedMs }) => endedMs < now.nowMs - limits.key.cacheMs);
      // One during which the clock jumped is as old as its begin.
      const isNew = look && now.nowMs - look.beganMs < NEW_MS;
      const knownMs = this.#url ? (isNew ? look.beganMs : 0) : now.nowMs;
      for (const key of this.#keys) {
        for (const one of admissions) this.#ask(one, key, counted, knownMs);
      }
    }
  }

  async #changeKeys(accounts: Accounts): Promise<void> {
    const what = this.#random.next();
    if (what < 0.1 && this.#keys.length < 20) {
      const key = { mode: 'live', label: 'k', scopes: ['all'], limit: null } as const;
      const { id, rawKey } = await accounts.createKey(key);
      this.#keys.push({ id, rawKey, createdMs: this.#now.nowMs, isRevoking: false });
    } else if (what < 0.13 && this.#keys.length > 0) {
      const key = this.#random.pick(this.#keys);
      key.isRevoking = true;
      await accounts.revokeKey(key.id);
      key.revokedMs ??= this.#now.nowMs;
    }
  }

  #ask({ thread, admit }: Admission, own: Key, counted: Counted, knownMs: number): void {
    const { rawKey, createdMs, isRevoking, revokedMs = Number.POSITIVE_INFINITY } = own;
    const now = this.#now;
    const key = admitted(() => admit({ 'x-api-key': rawKey }, wallMs()));
    if (!key && !isRevoking && createdMs + SECOND_MS < knownMs) {
      now.violate('what was acknowledged is there', 'a key is lost');
    }
    if (key && revokedMs + SECOND_MS < knownMs) {
      now.violate('what was acknowledged is there', 'a revoked key is admitted');
    }
    if (key && now.nowMs - postgresAway.sinceMs > STALE_MS) {
      now.violate('what was acknowledged is there', 'a key is admitted without contact');
    }
    if (!key || !now.faults.isOn) return;
    const use = { atMs: wallMs(), endpoint: 'quotes', method: 'GET', isError: false, tokens: 1 };
    thread.count({ key, ...use });
    counted.times.push(now.nowMs);
  }

  async #deliver(place: AccountsPlace): Promise<void> {
    await whileRefused(this.#now, async () => {
      await startDelivery({ ...this.#delivery(place), signal: new AbortController().signal });
    });
  }

  /** Delivers events by jobs of a queue, as workers do. */
  async deliverByJobs(jobs: Pick<DeliveryJobsOptions, 'url' | 'jobLog' | 'signal'>): Promise<void> {
    await whileRefused(this.#now, () =>
      deliverByJobs({ ...this.#delivery(this.#places[0]), ...jobs }),
    );
  }

  #delivery(place: AccountsPlace) {
    return {
      accounts: openRecords(place),
      settings: { webhookPrivate: true },
      log: {
        delivery: () => {},
        failure: (_: string, error: unknown) => {
          if (!isRefusal(error)) void Promise.reject(error);
        },
      },
    };
  }

  /** Hands over events as `jobs/events/relay` does: those of loads first, then those of a version. */
  async #relay(place: AccountsPlace): Promise<void> {
    await whileRefused(this.#now, () =>
      withAccounts(place, async (accounts) => {
        const hooks = await accounts.subscriptions('live');
        if (hooks.length > 0) return;
        await accounts.createKey({ mode: 'live', label: 'w', scopes: ['all'], account: ACCOUNT });
        const url = 'https://example.com/hook';
        const events = ['data.ready'] as const;
        await accounts.createWebhook({ account: ACCOUNT, mode: 'live', url, events: [...events] });
      }),
    );
    for (;;) {
      await this.#rest(100, 900);
      if (this.#outside.readers) this.#versions = this.#outside.version;
      else if (this.#now.faults.isOn) this.#versions++;
      await whileRefused(this.#now, () =>
        withAccounts(place, (accounts) => this.#handOver(accounts)),
      );
    }
  }

  async #handOver(accounts: Pick<Accounts, 'relayPosition' | 'addEvents' | 'advanceRelay'>) {
    const seq = this.#versions;
    const done = (await accounts.relayPosition('live'))?.seq ?? 0;
    if (seq === done) return;
    const from = (prefix: string) =>
      Array.from({ length: seq - done }, (_, i) => eventOf(`${prefix}${done + i + 1}`));
    const [loads, versions] = [from('evt_load'), from('evt_version')];
    for (const { id } of loads) this.#begun.add(id);
    await accounts.addEvents('live', loads);
    await this.#now.turn('events of loads are added');
    for (const { id } of versions) this.#begun.add(id);
    const position = { seq, storeMark: `${seq}`, version: `${seq}` };
    await accounts.advanceRelay('live', position, async (within) => {
      await within.addEvents('live', versions);
    });
    for (const { id } of [...loads, ...versions]) this.#events.add(id);
  }

  async checkEnd(): Promise<void> {
    await withAccounts(this.#places[0], async (accounts) => {
      const done = (await accounts.relayPosition('live'))?.seq ?? 0;
      const { received } = this.#outside;
      for (let seq = 1; seq <= done; seq++) {
        for (const kind of ['load', 'version']) this.#events.add(`evt_${kind}${seq}`);
      }
      const lost = [...this.#events].filter((id) => !received.has(id));
      if (lost.length > 0) this.#now.violate('deliveries at least once', `not delivered: ${lost}`);
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
}

/** Returns the key that the program admits. */
function admitted(admit: () => ValidKey): ValidKey | undefined {
  try {
    return admit();
  } catch (error) {
    if (error instanceof HttpError || error instanceof AccountsUnreachableError) return undefined;
    throw error;
  }
}

/** Returns a number of a file of accounts; 0 before it has its tables. */
function storedInFile(path: string, sql: string): number {
  if (!existsSync(path)) return 0;
  using db = new DatabaseSync(path, { readOnly: true });
  const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'usage'").get();
  return isMade ? Number(db.prepare(sql).get()?.n ?? 0) : 0;
}

function eventOf(id: string): MarketEvent {
  return { id, type: 'data.ready', occurredAtMs: 0, symbols: undefined, data: {} };
}

/** Starts the processes of a fleet on this machine, each with a folder and a proxy of its own. */

import { copyFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { accountsPath } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { ask } from '../cli/support/ask.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../cli/support/run-cli.ts';
import { type Part, processPart } from '../faults/support/killed-parts.ts';
import { type SmallMarket, startSmallMarket } from '../faults/support/small-market.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { freePort, type RunningRedis, startRedis } from '../support/redis-server.ts';
import { BUCKET, type RunningS3, s3Env, startS3 } from '../support/s3-server.ts';
import { type FleetClient, REFERENCE, startClient } from './client.ts';

const SESSIONS = [...sessionsBetween(dayFromDate('2025-01-02'), dayFromDate('2025-12-31'))].map(
  dateFromDay,
);

/** Sessions of the first publish. */
const FIRST_COUNT = 5;

/** A longer wait means that the fleet does not recover. */
const RECOVERY_MS = 300_000;

export interface Machine extends Part {
  name: string;
  address: string;
  folder: CliFolder;
  /** Between the machine and the store. */
  proxy: FaultyProxy;
}

export interface FleetOptions {
  /** Number of machines that serve. */
  machines: number;
  /** Waits of `quick-limits.ts` instead of the real ones. */
  isQuick?: boolean;
  /** Settings of one machine by its place, such as a folder on a disk of its own. */
  more?(place: number): Record<string, string>;
}

export interface Fleet {
  store: RunningS3;
  redis: RunningRedis;
  vendor: SmallMarket;
  publisher: CliFolder;
  /** Between the publisher and the store. */
  publisherProxy: FaultyProxy;
  /** The worker with the store. */
  worker: Part;
  /** The worker that fetches. */
  fetcher: Part;
  machines: Machine[];
  client: FleetClient;
  /** Settings of the publisher. */
  env: Record<string, string>;
  /** Newest date of the data. */
  date(): string;
  /** Loads and publishes the next sessions; resolves with the newest date once it is published. */
  publish(sessions?: number): Promise<string>;
  /** Kills a machine; its client counts what fails until it is started. */
  kill(machine: Machine): Promise<void>;
  /** Starts a machine; resolves when it is ready. */
  start(machine: Machine): Promise<void>;
  /** Resolves when these machines show the newest date, and says how many ms that took. */
  untilFollowed(machines?: readonly Machine[]): Promise<number>;
  /** Resolves when the server over the publisher's folder shows the newest date. */
  untilPublished(): Promise<void>;
  /** Checks all responses since the last call, once all machines have followed. */
  check(): Promise<ReturnType<FleetClient['take']>>;
  remove(): Promise<void>;
}

/** Gives a machine the accounts of the fleet. */
function accountsOf(publisher: CliFolder, machine: CliFolder, dataDir: string): void {
  if (machine !== publisher) copyFileSync(accountsPath(publisher.dataDir), accountsPath(dataDir));
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { machines: count, isQuick = false, more = () => ({}) } = options;
  const [store, redis, vendor] = await Promise.all([startS3(), startRedis(), startSmallMarket()]);
  const script = isQuick ? QUICK_CLI : undefined;
  const shared = createCliFolder();
  const proxies: FaultyProxy[] = [];
  const folders: CliFolder[] = [shared];
  const newFolder = async (extra: Record<string, string> = {}) => {
    const proxy = await startFaultyProxy(store.port);
    proxies.push(proxy);
    const port = await freePort();
    const env = {
      ...{ ...vendor.env, ...s3Env(proxy.port), TAPEWORKS_SNAPSHOTS_URL: `s3://${BUCKET}/fleet` },
      ...{ TAPEWORKS_REDIS_URL: redis.url, TAPEWORKS_SEGMENTS_URL: `s3://${BUCKET}/segments` },
      ...{ TAPEWORKS_PORT: String(port), TAPEWORKS_LOG_LEVEL: 'info', TAPEWORKS_SCHEDULE: 'off' },
      ...extra,
    };
    const folder = createCliFolder(env, script);
    folders.push(folder);
    return { folder, proxy, env, address: `http://127.0.0.1:${port}` };
  };

  const here = await newFolder();
  const { folder: publisher, proxy: publisherProxy, env } = here;
  const { headers } = await publisher.key('live');
  const worker = processPart(() => publisher.spawn('worker'), 'takes jobs to');
  const elsewhere = await newFolder();
  const fetching = () => elsewhere.folder.spawn('worker', '--queues', 'fetch');
  const fetcher = processPart(fetching, 'takes jobs to');
  const reference = processPart(() => publisher.spawn('serve', '--processes', '1'), 'listens on');
  const machines: Machine[] = [];
  for (let i = 0; i < count; i++) {
    const extra: Record<string, string> = more(i);
    const { folder, proxy, address } = await newFolder(extra);
    accountsOf(publisher, folder, extra.TAPEWORKS_DATA_DIR ?? folder.dataDir);
    const serve = () => folder.spawn('serve', '--replica', '--processes', '1');
    const part = processPart(serve, 'listens on');
    machines.push({ name: `machine ${i + 1}`, address, folder, proxy, ...part });
  }

  let dateCount = 0;
  const publish = async (sessions = 1) => {
    const from = SESSIONS[dateCount];
    dateCount += sessions;
    const to = SESSIONS[dateCount - 1];
    await publisher.json('backfill', 'eodhd', '--from', from, '--to', to);
    return to;
  };
  const date = () => SESSIONS[dateCount - 1];
  const isReady = ({ address }: { address: string }) =>
    ask(`${address}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const parts: Part[] = [worker, fetcher, reference, ...machines];
  await Promise.all(parts.map((part) => part.start()));
  await publish(FIRST_COUNT);
  await until(async () => (await Promise.all([here, ...machines].map(isReady))).every(Boolean));
  const targets = [{ name: REFERENCE, address: here.address }, ...machines];
  const client = startClient(targets, headers, () => SESSIONS.slice(0, dateCount));
  const untilSeen = (names: readonly string[]) =>
    until(() => names.every((name) => client.hasSeen(name, date())));
  const fleet: Fleet = {
    ...{ store, redis, vendor, publisher, publisherProxy, worker, fetcher, machines, client },
    ...{ env, date, publish },
    async kill(machine) {
      client.down(machine.name);
      await machine.kill();
    },
    async start(machine) {
      await machine.start();
      await until(() => isReady(machine));
      client.up(machine.name);
    },
    async untilFollowed(wanted = machines) {
      const startMs = performance.now();
      await until(() => wanted.every(({ name }) => client.dateOf(name) === date()));
      return Math.round(performance.now() - startMs);
    },
    untilPublished: () => untilSeen([REFERENCE]),
    async check() {
      await untilSeen([REFERENCE, ...machines.map(({ name }) => name)]);
      return client.take();
    },
    async remove() {
      await client.end();
      for (const part of parts) await part.kill();
      for (const folder of folders) await folder.remove();
      for (const proxy of proxies) await proxy.close();
      await Promise.all([store.remove(), redis.remove(), vendor.close()]);
    },
  };
  await fleet.untilFollowed();
  return fleet;
}

/** @throws {Error} it takes too long. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + RECOVERY_MS;
  while (!(await isDone())) {
    if (performance.now() > endMs) throw new Error(`not within ${RECOVERY_MS / 1000} s`);
    await delay(20);
  }
}

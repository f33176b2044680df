/** Starts the processes of a fleet on this machine, each with a folder and a proxy of its own. */

import { setTimeout as delay } from 'node:timers/promises';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { ask } from '../cli/support/ask.ts';
import { bin, type CliFolder, createCliFolder, QUICK_CLI } from '../cli/support/run-cli.ts';
import { type Part, processPart } from '../faults/support/killed-parts.ts';
import { type SmallMarket, startSmallMarket } from '../faults/support/small-market.ts';
import { startReceiver } from '../jobs/webhooks/receiver.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { type RunningPostgres, startPostgres } from '../support/postgres-server.ts';
import { freePort, type RunningRedis, startRedis } from '../support/redis-server.ts';
import { BUCKET, type RunningS3, s3Env, startS3 } from '../support/s3-server.ts';
import { type FleetClient, REFERENCE, startClient } from './client.ts';
import { type FleetEvents, type Range, subscribe } from './events.ts';
import { makeNetwork, type Network, type Service } from './network.ts';

const SESSIONS = [...sessionsBetween(dayFromDate('2025-01-02'), dayFromDate('2025-12-31'))].map(
  dateFromDay,
);

/** Sessions of the first publish. */
const FIRST_COUNT = 5;

/** A longer wait means that the fleet does not recover. */
const RECOVERY_MS = 300_000;

/** A machine that takes part; its network is missing where this user may not make one. */
export interface Node extends Part {
  name: string;
  /** Between the machine and the store. */
  proxy: FaultyProxy;
  network: Network | undefined;
}

export interface Machine extends Node {
  address: string;
  headers: Record<string, string>;
}

export interface FleetOptions {
  /** Number of machines that serve. */
  machines: number;
  /** Waits of `quick-limits.ts` instead of the real ones. */
  isQuick?: boolean;
  /** Returns the launcher of the program that a process starts next, by its name. */
  program?(name: string): string;
  /** Settings of one machine by its place, such as a folder on a disk of its own. */
  more?(place: number): Record<string, string>;
  /** Settings of the publisher. */
  publisherMore?: Record<string, string>;
}

export interface Fleet {
  store: RunningS3;
  redis: RunningRedis;
  postgres: RunningPostgres;
  vendor: SmallMarket;
  publisher: CliFolder;
  publisherDir: string;
  events: FleetEvents;
  /** The worker with the store. */
  worker: Node;
  /** The worker that fetches. */
  fetcher: Node;
  machines: Machine[];
  client: FleetClient;
  /** Settings of the publisher. */
  env: Record<string, string>;
  /** Newest date of the data. */
  date(): string;
  /** Loads and publishes the next sessions; resolves with the newest date once it is published. */
  publish(sessions?: number): Promise<string>;
  /** The server that machines are compared with. */
  reference: Part;
  /** Kills a machine; its client counts what fails until it is started. */
  kill(machine: Machine, signal?: NodeJS.Signals): Promise<void>;
  /** Starts a machine; resolves when it is ready. */
  start(machine: Machine): Promise<void>;
  /** Resolves when these machines show the newest date, and says how many ms that took. */
  untilFollowed(machines?: readonly Machine[]): Promise<number>;
  /** Resolves when the server over the publisher's folder shows the newest date. */
  untilPublished(): Promise<void>;
  /** Loads the sessions of the last publish again. */
  publishAgain(): Promise<string>;
  /** Makes a key on one machine. */
  makeKey(on: Machine): Promise<{ id: string; rawKey: string }>;
  /** Revokes a key on one machine. */
  revokeKey(on: Machine, id: string): Promise<void>;
  /** Resolves when a machine gives a key this status. */
  untilStatus(machine: Machine, key: string, status: number): Promise<void>;
  /** Checks all responses, counts and events since the last call, once all machines have followed. */
  check(): Promise<ReturnType<FleetClient['take']>>;
  remove(): Promise<void>;
}

const ALL = '0.0.0.0';
const DATABASE = 'fleet';
const KEYS = '/v1/svc/developer/keys';

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { machines: count, isQuick = false, more = () => ({}), publisherMore = {} } = options;
  const [store, redis, postgres, vendor, receiver] = await Promise.all([
    startS3(),
    startRedis(['--bind', ALL, '--protected-mode', 'no']),
    startPostgres([`listen_addresses=${ALL}`]),
    startSmallMarket(ALL),
    startReceiver(undefined, ALL),
  ]);
  await postgres.create(DATABASE);
  const program = options.program ?? (() => (isQuick ? QUICK_CLI : bin));
  const folders: CliFolder[] = [];
  const nodes: Node[] = [];

  /** Makes a folder, a network and a proxy; `ready` is what a verb says once it works. */
  async function newNode(
    name: string,
    verb: readonly string[],
    ready: string,
    extra: Record<string, string> = {},
  ) {
    const network = makeNetwork(nodes.length);
    const proxy = await startFaultyProxy(store.port, ALL);
    const port = await freePort();
    const via = (url: string, service: Service) =>
      network ? url.replace('127.0.0.1', network.hostOf(service)) : url;
    const objects = network?.hostOf('objects');
    const env: Record<string, string> = {
      ...{ ...vendor.env, ...s3Env(proxy.port, objects) },
      TAPEWORKS_EODHD_URL: via(vendor.env.TAPEWORKS_EODHD_URL, 'others'),
      TAPEWORKS_SNAPSHOTS_URL: `s3://${BUCKET}/fleet`,
      TAPEWORKS_REDIS_URL: via(redis.url, 'redis'),
      TAPEWORKS_ACCOUNTS_URL: via(postgres.url(DATABASE), 'postgres'),
      TAPEWORKS_SEGMENTS_URL: `s3://${BUCKET}/segments`,
      ...{ TAPEWORKS_PORT: String(port), TAPEWORKS_LOG_LEVEL: 'info', TAPEWORKS_SCHEDULE: 'off' },
      ...{ TAPEWORKS_WEBHOOK_PRIVATE: 'on', TAPEWORKS_HOST: network ? ALL : '127.0.0.1' },
      ...extra,
    };
    const folder = createCliFolder(env, () => program(name));
    folders.push(folder);
    const part = processPart(() => folder.spawnWithin(network?.within ?? [], ...verb), ready);
    const node: Node = { name, proxy, network, ...part };
    nodes.push(node);
    return { ...node, folder, env, port };
  }

  const worker = await newNode('publisher', ['worker'], 'takes jobs to', publisherMore);
  const { folder: publisher, env, port: referencePort } = worker;
  const fetching = ['worker', '--queues', 'fetch'];
  const fetcher = await newNode('fetcher', fetching, 'takes jobs to');
  // On this machine itself: no fault meets it.
  const reference = processPart(() => publisher.spawn('serve', '--processes', '1'), 'listens on');
  const referenceAddress = `http://127.0.0.1:${referencePort}`;
  const keyIds = new Map<string, string>();
  const headersOf = async (name: string) => {
    const key = ['--mode', 'live', '--label', name, '--scopes', 'all', '--limit', 'none'];
    const { id, rawKey } = await publisher.json('keys', 'create', ...key);
    keyIds.set(name, id);
    return { 'X-API-Key': rawKey };
  };
  // Not counted here.
  const { headers: owner } = await publisher.key('live');
  const serving = ['serve', '--replica', '--processes', '1'];
  const machines: Machine[] = [];
  for (let i = 0; i < count; i++) {
    const name = `machine ${i + 1}`;
    const node = await newNode(name, serving, 'listens on', more(i));
    const address = `http://${node.network?.address ?? '127.0.0.1'}:${node.port}`;
    machines.push({ ...node, address, headers: await headersOf(name) });
  }

  let dateCount = 0;
  const ranges: Range[] = [];
  const publishAgain = async () => {
    const [from, to] = ranges[ranges.length - 1];
    await publisher.json('backfill', 'eodhd', '--from', from, '--to', to);
    return to;
  };
  const publish = async (sessions = 1) => {
    const from = SESSIONS[dateCount];
    dateCount += sessions;
    ranges.push([from, SESSIONS[dateCount - 1]]);
    return await publishAgain();
  };
  const date = () => SESSIONS[dateCount - 1];
  const isReady = ({ address }: { address: string }) =>
    ask(`${address}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const referenceTarget = {
    ...{ name: REFERENCE, address: referenceAddress, headers: await headersOf(REFERENCE) },
  };
  const targets = [referenceTarget, ...machines];
  const parts: Part[] = [worker, fetcher, reference, ...machines];
  await Promise.all(parts.map((part) => part.start()));
  const receiverHost = worker.network?.hostOf('others') ?? '127.0.0.1';
  const query = (text: string) => postgres.query(text, DATABASE);
  const subscriber = { ...referenceTarget, headers: owner };
  const events = await subscribe(subscriber, receiver, receiverHost, query);
  await publish(FIRST_COUNT);
  await until(async () => (await Promise.all(targets.map(isReady))).every(Boolean));
  const client = startClient(targets, () => SESSIONS.slice(0, dateCount));

  /** Resolves when Postgres has each response of each key, and no more than was sent. */
  async function untilCounted(): Promise<void> {
    for (const [name, id] of keyIds) {
      const text = `SELECT coalesce(sum(calls), 0)::int AS n FROM usage WHERE key_id = '${id}'`;
      const { sent, certain } = client.tally(name);
      let seen = 0;
      await until(
        async () => {
          seen = Number((await query(text))[0].n);
          return seen >= certain;
        },
        () => `${name}: ${seen} counted of ${certain}`,
      );
      if (seen > sent) throw new Error(`${name}: ${seen} counted, ${sent} sent`);
    }
  }
  const untilSeen = (names: readonly string[]) =>
    until(() => names.every((name) => client.hasSeen(name, date())));
  const fleet: Fleet = {
    ...{ store, redis, postgres, vendor, events, publisher, worker, fetcher, machines, client },
    publisherDir: publisherMore.TAPEWORKS_DATA_DIR ?? publisher.dataDir,
    ...{ env, date, publish, publishAgain, reference },
    async kill(machine, signal) {
      client.down(machine.name);
      await machine.kill(signal);
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
    async makeKey({ address }) {
      const body = JSON.stringify({ label: 'made here', scopes: ['all'] });
      const json = { ...owner, 'Content-Type': 'application/json' };
      const { status, text } = await ask(address + KEYS, { method: 'POST', headers: json, body });
      if (status !== 201) throw new Error(`no key: ${status} ${text}`);
      return JSON.parse(text);
    },
    async revokeKey({ address }, id) {
      const { status } = await ask(`${address}${KEYS}/${id}`, { method: 'DELETE', headers: owner });
      if (status !== 204) throw new Error(`not revoked: ${status}`);
    },
    async untilStatus({ name, address }, key, wanted) {
      let seen = 0;
      await until(
        async () => {
          const headers = { 'X-API-Key': key };
          seen = (await ask(`${address}/v1/svc/symbols`, { headers })).status;
          return seen === wanted;
        },
        () => `${name}: ${seen} instead of ${wanted}`,
      );
    },
    async check() {
      await untilSeen(targets.map(({ name }) => name));
      await client.inSilence(untilCounted);
      let problem = '';
      await until(
        async () => {
          problem = await events.problem(ranges);
          return problem === '';
        },
        () => problem,
      );
      return client.take();
    },
    async remove() {
      await client.end();
      for (const part of parts) await part.kill();
      for (const folder of folders) await folder.remove();
      for (const { proxy, network } of nodes) {
        await proxy.close();
        network?.remove();
      }
      await Promise.all([store.remove(), redis.remove(), vendor.close(), receiver.close()]);
      await postgres.stop();
    },
  };
  await fleet.untilFollowed();
  return fleet;
}

/** @throws {Error} it takes too long. */
async function until(isDone: () => boolean | Promise<boolean>, text = () => ''): Promise<void> {
  const endMs = performance.now() + RECOVERY_MS;
  while (!(await isDone())) {
    if (performance.now() > endMs) throw new Error(`not within ${RECOVERY_MS / 1000} s ${text()}`);
    await delay(20);
  }
}

/** The API over a folder of published files, on a port of its own. */

import { MessageChannel } from 'node:worker_threads';
import { createApp } from '../../../src/api/app.ts';
import type { Route } from '../../../src/api/contract/route.ts';
import { listen } from '../../../src/api/http/listen.ts';
import { createLog } from '../../../src/api/http/log.ts';
import { ROUTES } from '../../../src/api/routes/routes.ts';
import { createScreens, type Screens } from '../../../src/api/screens/client.ts';
import { startScreenService } from '../../../src/api/screens/service.ts';
import { createStreams, type Streams } from '../../../src/api/streams/streams.ts';
import { type Settings, settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPlace, modePaths } from '../../../src/base/config/data-dir.ts';
import { createSqlQueries } from '../../../src/cli/server/sql-queries.ts';
import type { NewKey } from '../../../src/store/accounts/keys/key-record.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { newCountMemory } from '../../../src/store/accounts/usage/count-memory.ts';
import { openServing } from '../../../src/store/arrow/read/reader.ts';
import type { ServingOptions } from '../../../src/store/arrow/snapshot/snapshot.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
  /** Parsed body; undefined where it is not JSON. */
  json: unknown;
}

export interface TestServer {
  address: string;
  /** Accounts of the thread that responds. */
  accounts: Accounts;
  streams: Streams;
  /** Writes what is counted, which the server does four times a second. */
  writeCounts(): void;
  /** Lines of the log, parsed. */
  log: Record<string, unknown>[];
  /** Milliseconds of the server's clock; tests move it. */
  clock: { nowMs: number };
  newKey(key?: Partial<NewKey>): Promise<string>;
  /** Key of the sandbox, with all scopes and no limit. */
  rawKey: string;
  /** Sends a request; of a stream of events it reads the head alone. */
  request(path: string, options?: RequestInit): Promise<Reply>;
  /** A GET with `rawKey`. */
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

/**
 * @param overrides Settings; a key that exists, which is used instead of a new one.
 * @param serving How published files are read; default as the server does, looking more often.
 * @param routes Default: all.
 * @param others Screens that are connected elsewhere; default: they run on this thread.
 */
export async function startTestServer(
  dataDir: string,
  nowMs: number,
  overrides: Partial<Settings> & { rawKey?: string } = {},
  serving: ServingOptions = {},
  routes: readonly Route[] = ROUTES,
  others?: Screens,
): Promise<TestServer> {
  const settings = { ...settingsFromEnv({}), dataDir, port: 0, ...overrides };
  const clock = { nowMs };
  const now = () => clock.nowMs;
  // Like `serve`: one opening writes what is counted, and the thread of the API has another.
  const memory = newCountMemory();
  const place = accountsPlace(dataDir, settings.accountsUrl);
  const writer = openAccounts(place, now, { memory });
  const accounts = openAccounts(place, now, { memory, post: writer.addCounts });
  // As `serve` does; a Postgres that is away leaves the keys of the last run.
  await accounts.refresh().catch(() => undefined);
  const followed = { pollMs: 5, holdsReplaced: true, ...serving };
  const readers = {
    live: openServing(modePaths(dataDir, 'live').serving, followed),
    sandbox: openServing(modePaths(dataDir, 'sandbox').serving, followed),
  };
  const log: Record<string, unknown>[] = [];
  const appLog = createLog('info', { write: (line) => void log.push(JSON.parse(line)) });
  const own = createScreens();
  const screens = others ?? own;
  const screenService = startScreenService(readers);
  const { port1, port2 } = new MessageChannel();
  own.connect(port1);
  screenService.accept(port2);
  const streams = createStreams({ accounts, now, log: appLog });
  const app = createApp({
    settings,
    readers,
    accounts,
    now,
    log: appLog,
    screens,
    streams,
    routes,
    // A loaded machine takes longer to start a process than the deadline of the product.
    sql: createSqlQueries(2, 900_000),
  });
  const server = await listen(app, settings, appLog);

  const newKey = async (key: Partial<NewKey> = {}): Promise<string> =>
    (
      await accounts.createKey({
        mode: 'sandbox',
        label: 'test',
        scopes: ['all'],
        limit: null,
        ...key,
      })
    ).rawKey;
  const request = async (path: string, options: RequestInit = {}): Promise<Reply> => {
    // By default fetch asks for compressed bodies, which takes longer than making most of them.
    const headers = { 'Accept-Encoding': 'identity', ...(options.headers as object) };
    const response = await fetch(server.address + path, { ...options, headers });
    const isEndless = response.headers.get('Content-Type') === 'text/event-stream';
    if (isEndless) await response.body?.cancel();
    const bytes = new Uint8Array(isEndless ? [] : await response.arrayBuffer());
    const text = Buffer.from(bytes).toString();
    const isJson = response.headers.get('Content-Type') === 'application/json';
    const json = isJson && text ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, bytes, json };
  };
  const { rawKey = await newKey() } = overrides;
  return {
    address: server.address,
    accounts,
    streams,
    writeCounts() {
      accounts.flush();
      writer.flush();
    },
    log,
    clock,
    newKey,
    rawKey,
    request,
    get: (path, headers = {}) => request(path, { headers: { 'X-API-Key': rawKey, ...headers } }),
    async close() {
      streams.close();
      await server.close();
      screenService.close();
      readers.live.close();
      readers.sandbox.close();
      await accounts.close();
      await writer.close();
    },
  };
}

/** A server over the fixture market in the sandbox, for all tests of a file. */

import { cpSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Settings } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { madeOnce } from '../../support/made-once.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from './market-fixture.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';

export interface FixtureServer {
  dataDir: string;
  /** Runs from the first test on. */
  server: TestServer;
}

type Publish = (folder: string) => Promise<unknown>;

/** Writes the fixture market to a serving folder. A run makes it once. */
export async function publishFixtureMarket(folder: string): Promise<void> {
  const made = await madeOnce('fixture-market', (empty) => publishMarket(empty, fixtureSymbols()));
  cpSync(made, folder, { recursive: true });
}

/** Starts a server over a new market in the sandbox of a data folder. */
async function served(dataDir: string, publish: Publish, overrides: Partial<Settings> = {}) {
  await publish(modePaths(dataDir, 'sandbox').serving);
  return { dataDir, server: await startTestServer(dataDir, NOW_MS, overrides) };
}

/** @param publish Writes the sandbox's serving folder. */
export function useFixtureServer(
  overrides: Partial<Settings> = {},
  publish: Publish = publishFixtureMarket,
): FixtureServer {
  const fixture = { dataDir: sharedFolder() } as FixtureServer;
  beforeAll(async () => {
    Object.assign(fixture, await served(fixture.dataDir, publish, overrides));
  });
  afterAll(() => fixture.server.close());
  return fixture;
}

/** Gives each test of a `describe` a server and a market of its own, which it may replace. */
export function useOwnServers(fixture: FixtureServer, publish: Publish): void {
  let shared: FixtureServer;
  beforeEach(async () => {
    shared = { ...fixture };
    Object.assign(fixture, await served(freshFolder(), publish));
  });
  afterEach(async () => {
    await fixture.server.close();
    Object.assign(fixture, shared);
  });
}

/** Returns what sends a request with the key of the server, and a body as JSON unless it is text. */
export function sender(fixture: FixtureServer, folder = '') {
  return (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return fixture.server.request(folder + path, {
      method,
      headers: { 'X-API-Key': fixture.server.rawKey, ...type, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  };
}

export const as = (rawKey: string) => ({ 'X-API-Key': rawKey });

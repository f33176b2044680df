/** A server over the fixture market in the sandbox, for all tests of a file. */

import { afterAll, beforeAll } from 'vitest';
import type { Settings } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { sharedFolder } from '../../support/folders.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from './market-fixture.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';

export interface FixtureServer {
  dataDir: string;
  /** Runs from the first test on. */
  server: TestServer;
}

/** @param publish Writes the sandbox's serving folder. */
export function useFixtureServer(
  overrides: Partial<Settings> = {},
  publish: (folder: string) => Promise<void> = (folder) => publishMarket(folder, fixtureSymbols()),
): FixtureServer {
  const fixture = { dataDir: sharedFolder() } as FixtureServer;
  beforeAll(async () => {
    await publish(modePaths(fixture.dataDir, 'sandbox').serving);
    fixture.server = await startTestServer(fixture.dataDir, NOW_MS, overrides);
  });
  afterAll(() => fixture.server.close());
  return fixture;
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

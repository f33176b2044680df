/** A server over the fixture market in the sandbox, for all tests of a file. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Settings } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from './market-fixture.ts';
import { startTestServer, type TestServer } from './test-server.ts';

export interface FixtureServer {
  /** Both are there from the first test on. */
  dataDir: string;
  server: TestServer;
}

/** @param publish Writes the sandbox's serving folder. */
export function useFixtureServer(
  overrides: Partial<Settings> = {},
  publish: (folder: string) => Promise<void> = (folder) => publishMarket(folder, fixtureSymbols()),
): FixtureServer {
  const fixture = {} as FixtureServer;
  beforeAll(async () => {
    fixture.dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
    await publish(modePaths(fixture.dataDir, 'sandbox').serving);
    fixture.server = await startTestServer(fixture.dataDir, NOW_MS, overrides);
  });
  afterAll(async () => {
    await fixture.server.close();
    rmSync(fixture.dataDir, { recursive: true });
  });
  return fixture;
}

/** The API over a data directory as in production, and beside it handlers to compare it with. */

import type { Express } from 'express';
import { createApp } from '../../../src/api/app.ts';
import { listen } from '../../../src/api/http/listen.ts';
import { createLog, gatheringDestination } from '../../../src/api/http/log.ts';
import { prepareVersion } from '../../../src/api/operator/prepare-version.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath, type Mode, modePaths } from '../../../src/base/config/data-dir.ts';
import { wallMs } from '../../../src/base/world/clock.ts';
import { openSync } from '../../../src/base/world/files.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { openServing } from '../../../src/store/arrow/read/reader.ts';

export interface BenchApi {
  address: string;
  /** Key of the requested mode, with all scopes and no limit. */
  rawKey: string;
  /** Puts another app behind a port of its own; gives its address. */
  listenBeside(app: Express): Promise<string>;
  /** Closes everything. */
  stop(): Promise<void>;
}

export async function startBenchApi(dataDir: string, keyMode: Mode = 'live'): Promise<BenchApi> {
  const settings = { ...settingsFromEnv({}), dataDir, port: 0 };
  const accounts = openAccounts(accountsPath(dataDir), wallMs);
  const open = (mode: Mode) =>
    openServing(modePaths(dataDir, mode).serving, { prepare: prepareVersion });
  const readers = { live: open('live'), sandbox: open('sandbox') };
  // The log is as in production too; only its lines go nowhere.
  const log = createLog(settings.logLevel, gatheringDestination(openSync('/dev/null', 'w')));
  const app = createApp({ settings, readers, accounts, now: wallMs, log });
  const servers = [await listen(app, settings, log)];
  const { rawKey } = await accounts.createKey({
    mode: keyMode,
    label: 'bench',
    scopes: ['all'],
    limit: null,
  });
  return {
    address: servers[0].address,
    rawKey,
    async listenBeside(other) {
      const server = await listen(other, settings, log);
      servers.push(server);
      return server.address;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.close()));
      await accounts.close();
    },
  };
}

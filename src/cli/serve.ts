/** `serve`: the API alone, over whatever is published. */

import type { Command } from 'commander';
import { type Settings, settingsFromEnv } from '../config.ts';
import { accountsPath, type Mode, modePaths } from '../data-dir.ts';
import { createOutput } from './output.ts';

export interface RunningApi {
  /** `http://host:port` as a client on this machine reaches it. */
  address: string;
  /** Symbols published for the sandbox now, ascending. */
  sandboxSymbols(): readonly string[];
  /** Finishes requests in flight, then closes readers and accounts. */
  close(): Promise<void>;
}

/** Opens accounts and both modes' published data, and listens. */
export async function startApi(settings: Settings): Promise<RunningApi> {
  const [
    { createApp },
    { prepareVersion },
    { listen },
    { createLog },
    { openServing },
    { openAccounts },
  ] = await Promise.all([
    import('../api/app.ts'),
    import('../api/prepare-version.ts'),
    import('../api/listen.ts'),
    import('../api/log.ts'),
    import('../store/serving/reader.ts'),
    import('../store/accounts/accounts.ts'),
  ]);
  const log = createLog(settings.logLevel);
  const accounts = openAccounts(accountsPath(settings.dataDir));
  const open = (mode: Mode) =>
    openServing(modePaths(settings.dataDir, mode).serving, {
      prepare: prepareVersion,
      onError: (error) => log.damage(mode, error),
    });
  const readers = { live: open('live'), sandbox: open('sandbox') };
  const app = createApp({ settings, readers, accounts, now: Date.now, log });
  const server = await listen(app, settings, log);
  return {
    address: server.address,
    sandboxSymbols: () => readers.sandbox.current().symbols,
    async close() {
      await server.close();
      readers.live.close();
      readers.sandbox.close();
      accounts.close();
    },
  };
}

/** Resolves at the first SIGINT or SIGTERM. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

async function serve(options: { json?: boolean }): Promise<void> {
  const stopped = untilStopped();
  const api = await startApi(settingsFromEnv(process.env));
  const output = createOutput(options.json === true);
  output.result({ address: api.address }, [`Tapeworks answers on ${api.address}`]);
  await stopped;
  await api.close();
}

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('the API alone')
    .option('--json', 'print one JSON document once it listens')
    .action(serve);
}

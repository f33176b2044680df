/** Takes the backfills of a data folder until it is killed. */

import { takeBackfills } from '../../../jobs/backfills/take.ts';
import { openRunner } from '../../../jobs/runner/open-runner.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';

const settings = settingsFromEnv(process.env);
await takeBackfills({
  settings,
  runner: await openRunner(settings),
  accounts: openAccounts(accountsPath(settings.dataDir)),
  clock: Date.now,
  note: (line) => process.stderr.write(`${line}\n`),
  signal: new AbortController().signal,
});

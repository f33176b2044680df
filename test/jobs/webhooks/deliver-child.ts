/** Delivers until it is killed: `deliver-child.ts ACCOUNTS_PATH`. */

import { startDelivery } from '../../../jobs/webhooks/deliver.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';

await startDelivery({
  accounts: openAccounts(process.argv[2]),
  settings: { webhookPrivate: true },
  log: { delivery: () => undefined, failure: console.error },
  signal: new AbortController().signal,
});

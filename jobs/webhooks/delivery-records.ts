/** Deliveries that were given up, as jobs that people see: without Redis there are no others. */

import { listGivenUp } from '../../src/store/sqlite/webhooks/delivery-figures.ts';
import type { JobRecord } from '../runner/runner.ts';

/** @param path `accountsPath`. @returns newest first. */
export function givenUpRecords(path: string, rowsMax: number): JobRecord[] {
  return listGivenUp(path, rowsMax).map(
    ({ eventId, webhookId, mode, type, attempts, error }): JobRecord => ({
      ...{ id: `${eventId}/${webhookId}`, queue: 'webhooks', state: 'dead', mode, verb: 'deliver' },
      ...{ title: `${type} to ${webhookId}`, failures: attempts, kind: 'refused', reason: error },
    }),
  );
}

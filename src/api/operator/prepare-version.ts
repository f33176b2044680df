/** What requests of a new version would wait for, done before they come. */

import { doneInTurns, type Work } from '../../base/turns.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { preparingScreener } from '../routes/screener/route.ts';
import { preparingSearch } from '../routes/symbols/search.ts';

function* preparing(snapshot: Snapshot): Work<void> {
  const table = yield* snapshot.makingScreener();
  yield* preparingScreener(table);
  yield* preparingSearch(snapshot);
}

/** Makes the screener's and the directory's columns while requests are answered. */
export async function prepareVersion(snapshot: Snapshot): Promise<void> {
  await doneInTurns(preparing(snapshot));
}

/** What requests of a new version would wait for, done before they come. */

import type { Snapshot } from '../store/serving/snapshot.ts';
import { doneInTurns, type Work } from '../turns.ts';
import { preparingScreener } from './screener.ts';
import { preparingSearch } from './symbol-search.ts';

function* preparing(snapshot: Snapshot): Work<void> {
  const table = yield* snapshot.makingScreener();
  yield* preparingScreener(table);
  yield* preparingSearch(snapshot);
}

/** Makes the screener's and the directory's columns while requests are answered. */
export async function prepareVersion(snapshot: Snapshot): Promise<void> {
  await doneInTurns(preparing(snapshot));
}

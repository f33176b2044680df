/** What requests of a new version would wait for, done before they come. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { screenerSteps } from './screener.ts';
import { activeSymbols, searchedNames } from './symbol-search.ts';

function* steps(snapshot: Snapshot): Generator<void> {
  const table = snapshot.screener();
  yield;
  yield* screenerSteps(table);
  searchedNames(snapshot.listings);
  yield;
  activeSymbols(snapshot);
}

/**
 * Makes the screener's and the directory's columns, in turns of some 3 ms for 10,000 symbols; two
 * take 30 ms for the first version, of which nothing is known yet.
 */
export async function prepareVersion(snapshot: Snapshot): Promise<void> {
  // Whoever opens a version has other things to do first.
  await nextTurn();
  for (const _ of steps(snapshot)) await nextTurn();
}

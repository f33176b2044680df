/** Computes what the first requests of a new version would otherwise wait for. */

import { SCREENER_NUMBERS } from '../../base/fields.ts';
import { nextTick } from '../../base/world/clock.ts';
import { sortOrder } from '../../screens/plan/sort-order.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { universeSteps } from '../responses/universes.ts';
import { searchSteps } from '../routes/symbols/search.ts';

/** Runs each step in a tick of its own, so that requests are answered in between. */
export async function prepareVersion(snapshot: Snapshot): Promise<void> {
  const { listings } = snapshot;
  const steps: (() => unknown)[] = [
    ...TEXTS.map((name) => () => listings[name]),
    () => snapshot.screener(),
    ...[...SCREENER_NUMBERS, 'lastBarDay' as const].map(
      (name) => () => sortOrder(snapshot.screener().columns[name]),
    ),
    ...searchSteps(snapshot),
    ...universeSteps(snapshot),
  ];
  for (const step of steps) {
    await nextTick();
    step();
  }
}

/** Texts of the directory that screens and searches read. */
const TEXTS = [
  'symbol',
  'companyName',
  'sector',
  'industry',
  'country',
  'exchange',
  'type',
  'source',
  'formerTickers',
  'formerNames',
] as const;

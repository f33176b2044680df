/**
 * A backfill beside others: `order-child.ts DATA_DIR SEED`. Loads the flow's segments in an order
 * of its own, some of them twice, a few at once, and publishes between.
 */

import { publish } from '../../../jobs/publish/publish.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { seededRandom } from '../scale.ts';
import { BATCHES, DEPS, loadAll } from '../support/flow.ts';

const [dataDir, seed] = process.argv.slice(2);
const paths = modePaths(dataDir, 'live');
const random = seededRandom(Number(seed));

const loads = BATCHES.flat();
const repeated = loads.filter(() => random() < 0.4);
const order = [...loads, ...repeated].map((load) => ({ load, place: random() }));
order.sort((a, b) => a.place - b.place);
for (let next = 0; next < order.length; ) {
  const count = 1 + Math.floor(random() * 5);
  const some = order.slice(next, next + count).map(({ load }) => load);
  await loadAll(paths, some);
  if (random() < 0.5) await publish(paths, DEPS);
  next += count;
}
await publish(paths, DEPS);

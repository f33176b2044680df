/**
 * A backfill beside others: `order-child.ts DATA_DIR SEED`. Loads the flow's segments in an order
 * of its own, some of them twice, and publishes now and then.
 */

import { publish } from '../../jobs/publish.ts';
import { modePaths } from '../../src/data-dir.ts';
import { BATCHES, DEPS, loadOne } from './flow.ts';
import { seededRandom } from './scale.ts';

const [dataDir, seed] = process.argv.slice(2);
const paths = modePaths(dataDir, 'live');
const random = seededRandom(Number(seed));

const loads = BATCHES.flat();
const repeated = loads.filter(() => random() < 0.5);
const order = [...loads, ...repeated].map((load) => ({ load, place: random() }));
order.sort((a, b) => a.place - b.place);
for (const { load } of order) {
  await loadOne(paths, load);
  if (random() < 0.3) await publish(paths, DEPS);
}
await publish(paths, DEPS);

/** Jobs without Redis. */

import { describeRunner } from './conformance.ts';

describeRunner('the runner in the process', {
  env: {},
  hasWorkers: false,
  isWhole: true,
  async reset() {},
});

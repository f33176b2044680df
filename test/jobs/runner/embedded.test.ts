/** Jobs without Redis. */

import { isLong } from '../../faults/scale.ts';
import { describeRunner } from './conformance.ts';

describeRunner('the runner in the process', {
  env: {},
  hasWorkers: false,
  isLong,
  async reset() {},
});

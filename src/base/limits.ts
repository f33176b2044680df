/**
 * Bounds of work of several folders. Units are in the names.
 *
 * A bound that one folder reads stands in its own `limits.ts`. A table of these in one of the
 * folders could not be read from below it.
 */

import { accountLimits } from './limits/accounts.ts';
import { dataLimits } from './limits/data.ts';
import { inputLimits } from './limits/inputs.ts';
import { responseLimits } from './limits/responses.ts';
import { workLimits } from './limits/work.ts';

export const limits = {
  ...responseLimits,
  ...accountLimits,
  ...dataLimits,
  ...workLimits,
  ...inputLimits,
} as const;

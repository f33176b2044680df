/** All bounds of the program, by the part that keeps them. Units are in the names. */

import { accountLimits } from './accounts.ts';
import { apiLimits } from './api.ts';
import { ingestLimits } from './ingest.ts';
import { jobLimits } from './jobs.ts';
import { maintenanceLimits } from './maintenance.ts';
import { storeLimits } from './store.ts';
import { vendorLimits } from './vendors.ts';

export const limits = {
  ...apiLimits,
  ...accountLimits,
  ...storeLimits,
  ...jobLimits,
  ...maintenanceLimits,
  ...ingestLimits,
  ...vendorLimits,
} as const;

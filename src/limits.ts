/** Every bound of the program, by who keeps it. Units are in the names. */

import { accountLimits } from './limits-accounts.ts';
import { apiLimits } from './limits-api.ts';
import { ingestLimits } from './limits-ingest.ts';
import { jobLimits } from './limits-jobs.ts';
import { maintenanceLimits } from './limits-maintenance.ts';
import { storeLimits } from './limits-store.ts';
import { vendorLimits } from './limits-vendors.ts';

export const limits = {
  ...apiLimits,
  ...accountLimits,
  ...storeLimits,
  ...jobLimits,
  ...maintenanceLimits,
  ...ingestLimits,
  ...vendorLimits,
} as const;

/** What `--plan` says of time and space. */

import { describe, expect, it } from 'vitest';
import type { VendorSettings } from '../../../src/base/config/config.ts';
import { planLines, planReport } from '../../../src/cli/backfill/dry-run.ts';
import { type Vendor, vendors } from '../../../src/ingest/http/vendors.ts';

const settings: VendorSettings = {
  dataDir: '/nowhere',
  contact: undefined,
  vendorUrls: {},
  vendorKeys: {},
  vendorLimits: {},
};

const secondsOf = (vendor: Vendor, plan: Omit<Parameters<typeof planReport>[1], 'bars'>) =>
  planReport(vendor, { bars: 0, ...plan }, settings).seconds;

describe('planReport', () => {
  it('waits for the windows of a limit', () => {
    expect(secondsOf(vendors.MASSIVE, { requests: 5 })).toBe(2.5);
    expect(secondsOf(vendors.MASSIVE, { requests: 6 })).toBe(60);
    expect(secondsOf(vendors.TIINGO, { requests: 101 })).toBe(7200);
  });

  it('takes the time of an answer, and of requests beside one another the pace', () => {
    expect(secondsOf(vendors.SEC, { requests: 100 })).toBe(50);
    expect(secondsOf(vendors.SEC, { requests: 800, requestsAtOnce: 4 })).toBe(100);
  });

  it('counts what is downloaded, as time and as space', () => {
    const plan = { requests: 3, bars: 0, downloadBytes: 3_000_000_000 };
    const report = planReport(vendors.SEC, plan, settings);
    expect(report).toMatchObject({ seconds: 151.5, limit: { requests: 10, windowS: 1 } });
    expect(planLines(report)).toEqual([
      'requests: 3 (10 in 1 s)',
      'time: at least 3 min',
      'bars: at most 0',
      'download: about 3,000 MB',
      'disk: at most 3,000 MB',
    ]);
  });
});

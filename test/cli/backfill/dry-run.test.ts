/** Time and space that `--plan` prints. */

import { describe, expect, it } from 'vitest';
import type { VendorSettings } from '../../../src/base/config/config.ts';
import { dryRunLines, dryRunReport } from '../../../src/cli/backfill/dry-run.ts';
import type { Host } from '../../../src/ingest/http/host.ts';
import { vendor as massive } from '../../../src/ingest/vendors/massive/vendor.ts';
import { SEC } from '../../../src/ingest/vendors/shared/sec.ts';
import { vendor as tiingo } from '../../../src/ingest/vendors/tiingo/vendor.ts';

const settings: VendorSettings = {
  dataDir: '/nowhere',
  contact: undefined,
  vendorUrls: {},
  vendorKeys: {},
  vendorLimits: {},
};

const secondsOf = (host: Host, plan: Omit<Parameters<typeof dryRunReport>[1], 'bars'>) =>
  dryRunReport(host, { bars: 0, ...plan }, settings).seconds;

describe('dryRunReport', () => {
  it('waits for the windows of a limit', () => {
    expect(secondsOf(massive.host, { requests: 5 })).toBe(2.5);
    expect(secondsOf(massive.host, { requests: 6 })).toBe(60);
    expect(secondsOf(tiingo.host, { requests: 101 })).toBe(7200);
  });

  it('takes the time of a response, or the pace if requests run in parallel', () => {
    expect(secondsOf(SEC, { requests: 100 })).toBe(50);
    expect(secondsOf(SEC, { requests: 800, requestsAtOnce: 4 })).toBe(100);
  });

  it('counts what is downloaded, as time and as space', () => {
    const plan = { requests: 3, bars: 0, downloadBytes: 3_000_000_000 };
    const report = dryRunReport(SEC, plan, settings);
    expect(report).toMatchObject({ seconds: 151.5, limit: { requests: 10, windowS: 1 } });
    expect(dryRunLines(report)).toEqual([
      'requests: 3 (10 in 1 s)',
      'time: at least 3 min',
      'bars: at most 0',
      'download: about 3,000 MB',
      'disk: at most 3,000 MB',
    ]);
  });
});

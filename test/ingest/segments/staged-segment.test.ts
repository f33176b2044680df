/** Staged segments as JSON and back. */

import { describe, expect, it } from 'vitest';
import type { FetchedFacts, FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import {
  fetchedFromStaged,
  stagedCandles,
  stagedFrom,
  stagedSegmentSchema,
} from '../../../src/ingest/segments/staged-segment.ts';

const ID = 'a'.repeat(64);

/** The segment as another process reads it. */
function sent(segment: Parameters<typeof stagedFrom>[0]) {
  return stagedSegmentSchema.parse(JSON.parse(JSON.stringify(stagedFrom(segment))));
}

describe('a staged segment', () => {
  it('of candles is the same elsewhere, except the path of its file', () => {
    const head = {
      id: ID,
      source: 'tiingo',
      interval: '1m',
      hours: 'extended',
      basis: 'raw',
      asOfUs: 9_007_199_254_740_993n,
      origin: 'tiingo ABC',
    } as const;
    const here = {
      ...stagedCandles(
        head,
        [
          ['ABC', 4],
          ['XYZ', 0],
        ],
        `/here/${ID}.parquet`,
      ),
      actions: [
        {
          symbol: 'ABC',
          splits: [{ exDay: 19_000, numerator: 2, denominator: 1 }],
          dividends: [{ exDay: 19_001, amount: 0.25 }],
          coverageFromDay: 18_000,
          coverageToDay: 19_500,
        },
      ],
      rejectedLines: 3,
      skipped: [{ name: 'QQQ', reason: 'unknown' }],
      rejectedByReason: new Map([['high below low', 3]]),
    };
    const { examine: _, ...there } = fetchedFromStaged(sent(here), '/there') as typeof here;
    const { examine: __, ...expected } = {
      ...here,
      ...stagedCandles(
        head,
        [
          ['ABC', 4],
          ['XYZ', 0],
        ],
        `/there/${ID}.parquet`,
      ),
    };
    const { actions, rejectedLines, skipped, rejectedByReason } = here;
    expect(there).toEqual({ ...expected, actions, rejectedLines, skipped, rejectedByReason });
    expect(there.groups[0].selectSql).toContain(`/there/${ID}.parquet`);
  });

  it('of rows or of facts is the same too', () => {
    const rows: FetchedRows = {
      ...{ id: ID, dataset: 'news', source: 'rss', asOfUs: 5n, origin: 'a feed', kind: 'parquet' },
      ...{ parquetPath: `/here/${ID}.parquet`, accepted: 2, rejected: 0, skipped: [] },
      rejectedByReason: new Map(),
    };
    expect(fetchedFromStaged(sent(rows), '/here')).toEqual(rows);
    const facts: FetchedFacts = {
      ...{ source: 'sec', origin: 'the SEC', skipped: [], rejectedByReason: new Map() },
      facts: [{ symbol: 'ABC', companyName: 'ABC Inc.', sector: null, cik: 1234 }],
    };
    expect(fetchedFromStaged(sent(facts), '/here')).toEqual(facts);
  });

  it('is refused if its name could lead outside', () => {
    const landed = {
      ...{ kind: 'rows', id: '../../etc/passwd', dataset: 'news', source: 'rss', asOfUs: '5' },
      ...{ origin: 'x', accepted: 1, rejected: 0, skipped: [], rejectedByReason: [] },
    };
    expect(stagedSegmentSchema.safeParse(landed).success).toBe(false);
    expect(stagedSegmentSchema.safeParse({ ...landed, id: ID }).success).toBe(true);
  });
});

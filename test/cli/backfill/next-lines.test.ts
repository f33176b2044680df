import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/api/routes/routes.ts';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { nextLines } from '../../../src/cli/backfill/next-lines.ts';

const address = 'http://127.0.0.1:8787';
const loaded = (
  dataset: string,
  interval: string | null = null,
  lastSymbol: string | null = 'BRK.B',
) => ({
  ...{ dataset, interval, rows: 9, symbols: 1, lastSymbol },
  ...{ firstDay: '2026-01-05', lastDay: '2026-01-06' },
});

describe('the next steps after a load', () => {
  it('are a chart, the origin of a bar, and a request', () => {
    expect(nextLines([loaded('candles', '1d')], { mode: 'live', address })).toEqual([
      'next: npx tapeworks chart BRK.B draws it',
      'next: npx tapeworks explain BRK.B 2026-01-06 shows where a bar comes from',
      "next: curl -H 'X-API-Key: svc_live_…' 'http://127.0.0.1:8787/v1/svc/technical/BRK.B?indicators=sma:20,rsi'",
    ]);
  });

  it('name the mode and the interval', () => {
    const [line] = nextLines([loaded('candles', '5m')], { mode: 'sandbox', address });
    expect(line).toMatch(/svc_test_….*technical\/BRK\.B\?indicators=sma:20,rsi&interval=5m'$/);
  });

  it('are of the first dataset that a request shows', () => {
    const all = [loaded('shares'), loaded('statements'), loaded('balance-sheet')];
    expect(nextLines(all, { mode: 'live', address })).toEqual([
      expect.stringContaining('/v1/svc/fundamentals/BRK.B/statements?period=ttm'),
    ]);
    expect(nextLines([], { mode: 'live', address })).toEqual([]);
    expect(nextLines([loaded('news', null, null)], { mode: 'live', address })).toEqual([]);
  });

  it('lead to routes that exist', () => {
    const templates = ROUTES.map(({ template }) => template.replace(/\{\w+\}/, 'BRK.B'));
    const lines = datasets.flatMap(({ name }) =>
      nextLines([loaded(name)], { mode: 'live', address }),
    );
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) {
      const path = /\/v1(\/svc\/[^?']+)/.exec(line)?.[1];
      expect(templates).toContain(path);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/api/routes/routes.ts';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { nextLines, pageOf } from '../../../src/cli/backfill/next-lines.ts';

const server = { address: 'http://127.0.0.1:8787', isRunning: true };
const loaded = (
  dataset: string,
  interval: string | null = null,
  lastSymbol: string | null = 'BRK.B',
) => ({
  ...{ dataset, interval, rows: 9, symbols: 1, lastSymbol },
  ...{ firstDay: '2026-01-05', lastDay: '2026-01-06' },
});

describe('the next steps after a load', () => {
  it('name the mode and the interval', () => {
    const [page, line] = nextLines([loaded('candles', '5m')], { mode: 'sandbox', server });
    expect(page).toContain('/?symbol=BRK.B&interval=5m');
    expect(line).toMatch(/svc_test_….*technical\/BRK\.B\?indicators=sma:20,rsi&interval=5m'$/);
  });

  it('are of the first dataset that a request shows', () => {
    const all = [loaded('shares'), loaded('statements'), loaded('balance-sheet')];
    expect(nextLines(all, { mode: 'live', server })).toEqual([
      'next: http://127.0.0.1:8787/?symbol=BRK.B shows it',
      expect.stringContaining('/v1/svc/fundamentals/BRK.B/statements?period=ttm'),
    ]);
    expect(nextLines([], { mode: 'live', server })).toEqual([]);
    expect(nextLines([loaded('news', null, null)], { mode: 'live', server })).toEqual([]);
  });

  it('begin with the command that starts a server where none runs over the folder', () => {
    const stopped = { ...server, isRunning: false };
    const [line] = nextLines([loaded('candles', '1d')], { mode: 'live', server: stopped });
    expect(line).toMatch(/^next: npx tapeworks start, then http:.+BRK\.B shows it$/);
    expect(pageOf([loaded('news', null, null)], server)).toBe(null);
  });

  it('lead to routes that exist', () => {
    const templates = ROUTES.map(({ template }) => template.replace(/\{\w+\}/, 'BRK.B'));
    const lines = datasets.flatMap(({ name }) =>
      nextLines([loaded(name)], { mode: 'live', server }),
    );
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines.filter((one) => one.includes('curl'))) {
      const path = /\/v1(\/svc\/[^?']+)/.exec(line)?.[1];
      expect(templates).toContain(path);
    }
  });
});

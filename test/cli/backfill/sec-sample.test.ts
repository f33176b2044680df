/** `backfill sec --sample`: real statements without a network, a key or a contact. */

import { afterAll, describe, expect, it } from 'vitest';
import { isLong } from '../../faults/scale.ts';
import { createCliFolder } from '../support/run-cli.ts';
import { served } from '../support/served.ts';

describe('backfill sec --sample', () => {
  // An address on which nothing listens: a request would fail the run.
  const folder = createCliFolder({ TAPEWORKS_SEC_URL: 'http://127.0.0.1:9' });
  afterAll(() => folder.remove());

  // Single symbols in CI, all ten companies in the long form.
  it('loads statements, and serves them as they were known on a day', async () => {
    const some = isLong ? [] : ['--symbols', 'NVDA,SNOW'];
    const report = await folder.json('backfill', 'sec', '--sample', ...some);
    expect(report).toMatchObject({ rejected: 0, skipped: [] });
    const get = await served(folder);
    const path = 'fundamentals/NVDA/statements?period=annual&limit=1';
    expect((await get(`${path}&as_of=2025-06-30`)).body).toMatchObject({
      data: [{ date: '2025-01-26', revenue: 130_497e6, netIncome: 72_880e6 }],
    });
    expect((await get('symbols?search=SNOW')).body).toMatchObject({
      data: [{ symbol: 'SNOW', exchange: 'NYSE' }],
    });
    const symbols = await folder.json('sql', 'SELECT DISTINCT symbol FROM statements ORDER BY 1');
    // Ten companies, one of which has two classes.
    if (isLong) expect(symbols).toHaveLength(11);
    else expect(symbols).toEqual([{ symbol: 'NVDA' }, { symbol: 'SNOW' }]);
  });

  it('takes no other files', async () => {
    const { code, stderr } = await folder.run('backfill', 'sec', '--sample', 'facts/');
    expect([code, stderr]).toEqual([
      2,
      'tapeworks: sec --sample has its own files: leave out --bulk, --statements and the paths\n',
    ]);
  });
});

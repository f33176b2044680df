import { describe, expect, it } from 'vitest';
import { hasRealdata } from '../../support/realdata.ts';
import { putRealUniverse, UNIVERSE_ZIP } from '../support/real-universe.ts';
import { useCliFolder } from '../support/run-cli.ts';
import { eventually, served } from '../support/served.ts';

describe.skipIf(!hasRealdata)('the real universe of 2017', () => {
  const folder = useCliFolder();

  it('has ANTM as ELV since 2022-06-28, whole and the same to the bit, and TWTR as delisted', async () => {
    await putRealUniverse(folder);
    const hash = (symbol: string) =>
      folder.json(
        ...[
          'sql',
          `SELECT count(*) AS n, bit_xor(hash(ts, open, high, low, close, volume)) AS content
          FROM candles WHERE symbol = '${symbol}'`,
        ],
      );
    const before = await hash('ANTM');
    expect(before[0].n).toBeGreaterThan(1000);
    const get = await served(folder);
    const answer = (await get('technical/ANTM?indicators=sma,macd&limit=5000')).body;
    await folder.json('symbols', 'rename', 'ANTM', 'ELV', '--on', '2022-06-28');
    expect(await hash('ELV')).toEqual(before);
    expect((await hash('ANTM'))[0].n).toBe(0);
    const again = (name: string) => get(`technical/${name}?indicators=sma,macd&limit=5000`);
    await eventually(async () => (await again('ELV')).body, { ...answer, symbol: 'ELV' });
    expect((await again('ANTM')).body).toEqual({ ...answer, symbol: 'ELV' });
    await folder.json('symbols', 'delist', 'TWTR', '--on', '2022-10-27');
    const twitter = async (active: boolean) =>
      (await get(`symbols?search=TWTR&active=${active}`)).body.data.length;
    await eventually(() => twitter(true), 0);
    expect(await twitter(false)).toBe(1);
    expect((await get('technical/TWTR?limit=5000')).body.candles.length).toBeGreaterThan(900);
    // The same zip again finds everything where it is by now.
    expect(await folder.json('backfill', 'files', 'candles', UNIVERSE_ZIP)).toMatchObject({
      accepted: 0,
      seriesChanged: 0,
    });
    expect(await hash('ELV')).toEqual(before);
  });
});

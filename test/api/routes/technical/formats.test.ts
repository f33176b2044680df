import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { abc, dates, useTechnicalClient } from '../../support/technical-fixture.ts';

const { get, technical } = useTechnicalClient();

describe('CSV and Arrow', () => {
  const query = 'ABC?indicators=sma,macd,bollinger:20:2&limit=40';
  const names = [
    'timestamp',
    'date',
    'open',
    'high',
    'low',
    'close',
    'volume',
    'sma',
    'macd',
    'macd_signal',
    'macd_histogram',
    'bollinger:20:2_upper',
    'bollinger:20:2_middle',
    'bollinger:20:2_lower',
  ];

  async function csvRows(rest: string): Promise<string[][]> {
    const reply = await get(rest, { Accept: 'text/csv' });
    expect(reply.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const lines = reply.text.split('\r\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => line.split(','));
  }

  it('CSV has the numbers of JSON', async () => {
    const [header, ...rows] = await csvRows(query);
    const { candles, indicators } = await technical(query);
    expect(header).toEqual(names);
    expect(rows).toHaveLength(40);
    rows.forEach((row, i) => {
      const { timestamp, open, high, low, close, volume } = candles[i];
      const expected = [timestamp, timestamp.slice(0, 10), open, high, low, close, volume];
      expect(row.slice(0, 8)).toEqual([...expected, indicators.sma[i].value].map(String));
    });
  });

  it('CSV leaves a value that does not exist empty', async () => {
    const [, first] = await csvRows('NEW?indicators=sma:5');
    expect(first[7]).toBe('');
  });

  it('Arrow is a stream with the same columns, volume as stored', async () => {
    const reply = await get(query, { Accept: 'application/vnd.apache.arrow.stream' });
    expect(reply.headers.get('Content-Type')).toBe('application/vnd.apache.arrow.stream');
    const table = tableFromIPC(reply.bytes);
    const { candles } = await technical(query);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(names);
    expect([...table.getChild('close')!]).toEqual(candles.map(({ close }) => close));
    expect(table.getChild('volume')!.get(0)).toBe(abc.bars.volume[660]);
  });

  it('Arrow has null where a value does not exist', async () => {
    const { bytes } = await get('NEW?indicators=sma:5&format=arrow');
    const sma = tableFromIPC(bytes).getChild('sma:5')!;
    expect([sma.nullCount, sma.get(3), sma.get(4)]).toEqual([4, null, expect.any(Number)]);
  });

  it('return all bars on request', async () => {
    expect(await csvRows('ABC?limit=all&format=csv')).toHaveLength(701);
    const { bytes } = await get(`ABC?limit=all&from=${dates[1]}&format=arrow`);
    expect(tableFromIPC(bytes).numRows).toBe(699);
  });
});

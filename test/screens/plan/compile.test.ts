/** Plans of screens: what is computed over bars, and what per symbol. */

import { describe, expect, it } from 'vitest';
import type { Column } from '../../../src/compute/columns/column.ts';
import { HELD } from '../../../src/compute/columns/operations/opcodes.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';

describe('compileScreen', () => {
  it('shares equal columns over bars, and groups them by interval', () => {
    const { bars } = compileScreen({
      where: 'close > sma(50) and sma:50 > avg(close, 50)[3] and weekly(close > SMA( 50 ))',
      columns: 'avg(close, 50), weekly(close)',
      sort: 'sma(close, 50)',
    });
    const counts = bars.map(({ interval, columns }) => [interval, columns.length]);
    expect(counts).toEqual([
      ['1d', 3],
      ['1w', 2],
    ]);
  });

  it('reads nothing for an empty screen', () => {
    expect(compileScreen({})).toEqual({
      canonical: '',
      bars: [],
      fields: [],
      symbols: new Map(),
      conditions: [],
      across: [],
      columns: [],
      sort: undefined,
    });
  });

  it('divides a screen where "and" joins it, with the sides of its comparisons', () => {
    const { conditions } = compileScreen({
      where:
        '(rsi(14) < 30 and close between 5 and sma(20)) and not (volume[1] > 1M or open is null)',
    });
    const shown = conditions.map(({ text, kind, operands }) => [
      text,
      kind,
      operands.map((operand) => operand.text),
    ]);
    expect(shown).toEqual([
      ['rsi(14) < 30', 'condition', ['rsi(14)']],
      ['close between 5 and sma(20)', 'condition', ['close', 'sma(20)']],
      ['not (volume[1] > 1M or open is null)', 'condition', ['volume[1]', 'open']],
    ]);
  });

  it('shows the sides of a cross at both bars, and those of an offset where it looks', () => {
    const { conditions } = compileScreen({
      where: 'sma(5) crosses above 2 * open and weekly((close > open)[1])',
    });
    expect(conditions.map(({ operands }) => operands.map(({ text }) => text))).toEqual([
      ['sma(5)', '2 * open', 'sma(5)[1]', '(2 * open)[1]'],
      ['weekly(close[1])', 'weekly(open[1])'],
    ]);
  });

  it('shows the texts that a condition compares', () => {
    const { conditions } = compileScreen({
      where: "sector in ('energy') and not (country != 'US' or exchange is null or sector = 'x')",
    });
    const text = (field: string) => ({ text: field, kind: 'text', field });
    expect(conditions.map(({ operands }) => operands)).toEqual([
      [text('sector')],
      [text('country'), text('exchange'), text('sector')],
    ]);
  });

  it('lists the fields of companies once', () => {
    const { fields } = compileScreen({
      where: "sector in ('energy') and market_cap > 1B and sector is not null",
      columns: 'company_name, pe_ratio, market_cap',
    });
    expect(fields).toEqual(['sector', 'market_cap', 'company_name', 'pe_ratio']);
  });

  it('returns texts, numbers and conditions as columns, under the texts asked', () => {
    const { columns } = compileScreen({ columns: ' sector , rsi( 14 ),close>open' });
    expect(columns.map(({ text, kind }) => [text, kind])).toEqual([
      ['sector', 'text'],
      ['rsi( 14 )', 'number'],
      ['close>open', 'condition'],
    ]);
  });
});

describe('an average that never forgets', () => {
  const codesOf = (text: string) => {
    const found = new Set<number>();
    const visit = (column: Column) => {
      if (column.kind !== 'operation') return;
      found.add(column.operation.code);
      column.operation.inputs.forEach(visit);
    };
    compileScreen({ columns: text }).bars[0].columns.forEach(visit);
    return found;
  };

  it.each([
    ['ema(close / (close - open), 5)', true],
    ['rsi(log(volume), 5)', true],
    ['ema(rsi, 9)', true],
    ['ema(hl2, 5)', false],
    ['ema(close - open, 5)', false],
    ['sma(close / volume, 5)', false],
    ['lowest(rsi, 5)', false],
  ])('of %s holds the last value: %s', (text, isHeld) => {
    expect(codesOf(text).has(HELD)).toBe(isHeld);
  });
});

import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../src/base/bars.ts';
import { lastValues, screenColumns } from '../../../src/cli/chart/columns.ts';
import { chartLines } from '../../../src/cli/chart/draw.ts';
import { axisText, scaleOf, stepOf } from '../../../src/cli/chart/scale.ts';

type Bar = [open: number, high: number, low: number, close: number, volume: number];

/** Bars of consecutive days from 2026-01-05 on; synthetic. */
function barsOf(rows: readonly Bar[]): BarColumns {
  const column = (at: number) => Float64Array.from(rows, (row) => row[at]);
  const startMs = Date.parse('2026-01-05');
  return {
    timestampUs: BigInt64Array.from(rows.map((_, i) => BigInt(startMs + i * 86_400_000) * 1000n)),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: column(4),
  };
}

const FIVE = barsOf([
  [10, 12, 10, 12, 100],
  [12, 14, 11, 13, 200],
  [13, 13, 10, 10, 400],
  [10, 10, 8, 9, 100],
  [9, 9, 9, 9, 0],
]);

const screen = { width: 40, priceHeight: 7, hasColour: false };
const plain = { title: 'ABC', bars: FIVE, overlays: [], panes: [], isIntraday: false };

describe('a chart', () => {
  it('draws rising bars as lines, falling ones as blocks, and wicks thin', () => {
    expect(chartLines(plain, screen)).toEqual([
      'ABC',
      '  │        14.00',
      '  ┃ █',
      '┃ ╿ █',
      '┃ ╵ █',
      '┃   █ ▄',
      '      █ ╻',
      '      │    8.00',
      '    █      400.00',
      '▄ █ █ ▄    volume',
      '2026-01-05',
      '┃ rises  █ falls',
    ]);
  });

  it('puts overlays into free cells, and other indicators into panes with their scale', () => {
    const values = Float64Array.from([Number.NaN, 10, 10, 12, 12]);
    const lines = chartLines(
      {
        ...plain,
        overlays: [{ name: 'sma:2', values }],
        panes: [{ name: 'rsi', lines: [{ name: 'rsi', values }] }],
      },
      screen,
    );
    expect(lines[1]).toBe('• sma:2 12.00');
    expect(lines.slice(2, 9).join('\n')).toContain('•');
    expect(lines).toContain('⠒ rsi 12.00');
    expect(lines.find((line) => line.endsWith('10.00'))).toMatch(/⣀/);
  });

  it('says that a pane has no value instead of an empty scale', () => {
    const values = new Float64Array(5).fill(Number.NaN);
    const panes = [{ name: 'rsi', lines: [{ name: 'rsi', values }] }];
    expect(chartLines({ ...plain, panes }, screen)).toContain('rsi: no value in this window');
  });

  it('has the same text with colour, between escapes', () => {
    const colour = chartLines(plain, { ...screen, hasColour: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with an escape
    const without = colour.map((line) => line.replace(/\x1b\[\d+m/g, ''));
    expect(without).toEqual(chartLines(plain, screen));
    expect(colour.join('')).toContain('\x1b[31m');
  });

  it('is never wider than the screen', () => {
    const rows = Array.from({ length: 500 }, (_, i): Bar => [i + 1, i + 3, i + 1, i + 2, 1e9]);
    const bars = barsOf(rows);
    for (const width of [40, 41, 80, 133]) {
      const lines = chartLines({ ...plain, bars }, { ...screen, width });
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.at(-1)).toMatch(/one column is \d+ bars$/);
    }
  });
});

describe('columns', () => {
  it('are one bar each, two cells apart where there is room', () => {
    expect(screenColumns(FIVE, 30)).toEqual({ bars: FIVE, barsPerColumn: 1, cells: 2 });
    expect(screenColumns(FIVE, 6)).toEqual({ bars: FIVE, barsPerColumn: 1, cells: 1 });
  });

  it('join bars that do not fit: first open, highest, lowest, last close, all volume', () => {
    const { bars, barsPerColumn } = screenColumns(FIVE, 3);
    expect(barsPerColumn).toBe(2);
    expect([...bars.open]).toEqual([10, 13, 9]);
    expect([...bars.high]).toEqual([14, 13, 9]);
    expect([...bars.low]).toEqual([10, 8, 9]);
    expect([...bars.close]).toEqual([13, 9, 9]);
    expect([...bars.volume]).toEqual([300, 500, 0]);
    expect([...lastValues(Float64Array.of(1, 2, 3, 4, 5), 2)]).toEqual([2, 4, 5]);
  });
});

describe('a scale', () => {
  it('takes finite values only, and puts a flat one into the middle', () => {
    expect(scaleOf([Float64Array.of(Number.NaN, 2, 5)])).toEqual({ min: 2, max: 5 });
    expect(scaleOf([Float64Array.of(Number.NaN)])).toBeUndefined();
    expect(stepOf(3, { min: 3, max: 3 }, 5)).toBe(2);
    expect([2, 3.4, 5].map((value) => stepOf(value, { min: 2, max: 5 }, 4))).toEqual([0, 1, 3]);
  });

  it('formats values in at most nine characters', () => {
    const values = [
      0, 0.00123, -12.345, 350.58, 99_999.99, 208_342_112, 5.5e12, 0.0000819, -0.00000387,
    ];
    expect(values.map(axisText)).toEqual([
      ...[
        '0.00',
        '0.00123',
        '-12.35',
        '350.58',
        '99999.99',
        '208.3M',
        '5.5T',
        '0.0000819',
        '-3.87e-6',
      ],
    ]);
  });
});

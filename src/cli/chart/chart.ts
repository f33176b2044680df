/** `chart SYMBOL`: candles and indicators in the terminal, or as a table. */

import { type Command, Option } from 'commander';
import { knownSymbol } from '../../api/responses/symbols.ts';
import { columnNames, technicalColumns } from '../../api/routes/technical/columns.ts';
import { BASES, type Basis } from '../../base/bars.ts';
import { countText } from '../../base/count-text.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { plainText } from '../../base/prices/decimals.ts';
import { INTERVALS, type Interval, isDailyInterval } from '../../base/time/intervals.ts';
import { process } from '../../base/world/process.ts';
import { seriesIndicators } from '../../screens/study/series-indicators.ts';
import { openForReading } from '../export/file.ts';
import {
  dayFor,
  type ModeOptions,
  modeOption,
  openVerb,
  wholeNumberFor,
  windowOfDays,
} from '../options.ts';
import { tableLines } from '../output.ts';
import { type ChartData, chartLines, plotWidth, stampText } from './draw.ts';
import { axisText } from './scale.ts';

interface ChartOptions extends ModeOptions {
  interval: Interval;
  indicators: string;
  adjustment?: Basis;
  /** Day numbers. */
  from?: number;
  to?: number;
  bars?: number;
  width?: number;
  table?: boolean;
}

const BARS_DEFAULT = 60;
const WIDTH_MIN = 40;
const WIDTH_MAX = 500;
const PRICE_ROWS_MIN = 8;
const PRICE_ROWS_MAX = 24;
const PRICE_ROWS_DEFAULT = 16;
/** Lines of a terminal that are not for candles. */
const OTHER_ROWS = 14;

async function showChart(symbolText: string, options: ChartOptions): Promise<void> {
  const { settings, output } = openVerb(options);
  const { mode, interval, adjustment } = options;
  const requests = seriesIndicators(
    options.indicators === 'none' ? undefined : options.indicators,
    interval,
  );
  const screen = screenOf(options);
  const window = windowOf(options, screen?.width);
  using version = openForReading(settings.dataDir, mode);
  const symbol = knownSymbol(version, mode, symbolText);
  const columns = technicalColumns(version, symbol, {
    indicators: requests,
    interval,
    adjustment,
    ...window,
    format: 'csv',
    canonical: '',
  });
  const { bars } = columns;
  if (bars.close.length === 0) throw noBars(symbol, options);
  const isIntraday = !isDailyInterval(interval);
  const lines = columns.indicators.map((series) => ({
    names: columnNames(series),
    isPrice: series.spec.outputs.map((output) => series.spec.priceOutputs.includes(output)),
    outputs: series.outputs,
  }));
  const last = bars.close.length - 1;
  const title = titleText(symbol, options, {
    adjustment: columns.adjustment,
    first: stampText(bars.timestampUs[0], isIntraday),
    last: stampText(bars.timestampUs[last], isIntraday),
    count: bars.close.length,
    close: bars.close[last],
    changePct: (bars.close[last] / bars.close[0] - 1) * 100,
  });
  const named = lines.flatMap(({ names, isPrice, outputs }) =>
    names.map((name, i) => ({ name, isPrice: isPrice[i], values: outputs[i] })),
  );
  const rows = rowsOf(bars, named, isIntraday);
  const head = { symbol, mode, interval, adjustment: columns.adjustment };
  const document = { ...head, bars: rows.map(({ values }) => values) };
  if (!screen) {
    const table = [['time', ...Object.keys(rows[0].values).slice(1)], ...rows.map(cellsOf)];
    output.result(document, [title, ...tableLines(table)]);
    return;
  }
  const data: ChartData = {
    title,
    bars,
    isIntraday,
    overlays: named.filter(({ isPrice }) => isPrice),
    panes: lines.flatMap(({ names, isPrice, outputs }) => {
      const own = names.flatMap((name, i) => (isPrice[i] ? [] : [{ name, values: outputs[i] }]));
      return own.length > 0 ? [{ name: own[0].name, lines: own }] : [];
    }),
  };
  output.result(document, chartLines(data, screen), true);
}

/** Returns the screen to draw on; undefined for a table, as in a pipe or a file. */
function screenOf({ width, table, json }: ChartOptions) {
  const { columns, rows, isTTY } = process.stdout;
  if (json || table || (!isTTY && width === undefined)) return undefined;
  const free = rows ? rows - OTHER_ROWS : PRICE_ROWS_DEFAULT;
  return {
    width: Math.max(WIDTH_MIN, width ?? (columns || 80)),
    priceHeight: Math.max(PRICE_ROWS_MIN, Math.min(PRICE_ROWS_MAX, free)),
    hasColour: isTTY === true && process.stdout.hasColors(),
  };
}

/** Returns the window of bars: all from `--from` on, else the newest. */
function windowOf({ from, to, bars }: ChartOptions, width: number | undefined) {
  const fitting = width === undefined ? BARS_DEFAULT : Math.floor(plotWidth(width) / 2);
  const plot = width === undefined ? BARS_DEFAULT : plotWidth(width);
  const newest = bars ?? Math.min(Math.max(BARS_DEFAULT, fitting), plot);
  return {
    ...windowOfDays(from, to),
    limit: from === undefined ? newest : ('all' as const),
  };
}

function noBars(symbol: string, { interval, mode }: ChartOptions): TapeworksError {
  const hint = isDailyInterval(interval)
    ? `load some: npx tapeworks backfill any --symbols ${symbol}`
    : `${interval} bars are made from 1-minute or 5-minute bars; --interval 1d may have some`;
  return new TapeworksError(
    `${symbol} has no ${interval} bars of this time in ${mode} mode: ${hint}`,
  );
}

interface Shown {
  adjustment: Basis;
  first: string;
  last: string;
  count: number;
  close: number;
  changePct: number;
}

function titleText(symbol: string, { interval, mode }: ChartOptions, shown: Shown): string {
  const { adjustment, first, last, count, close, changePct } = shown;
  const basis = {
    raw: 'as traded',
    split: 'adjusted for splits',
    all: 'adjusted for splits and dividends',
  };
  const zone = isDailyInterval(interval) ? '' : ' UTC';
  const change = `${changePct < 0 ? '' : '+'}${changePct.toFixed(1)} %`;
  const made = mode === 'sandbox' ? ' (synthetic)' : '';
  return (
    `${symbol}${made} ${axisText(close)}, ${change} in ${countText(count)} ${interval} bars, ` +
    `${first} to ${last}${zone}, ${basis[adjustment]}`
  );
}

type Row = { stamp: string; values: Record<string, number | string | null> };

function rowsOf(
  bars: Parameters<typeof chartLines>[0]['bars'],
  named: readonly { name: string; values: Float64Array }[],
  isIntraday: boolean,
): Row[] {
  return Array.from(bars.timestampUs, (us, row) => ({
    stamp: stampText(us, isIntraday),
    values: {
      timestamp: new Date(Number(us / 1000n)).toISOString(),
      open: bars.open[row],
      high: bars.high[row],
      low: bars.low[row],
      close: bars.close[row],
      volume: bars.volume[row],
      ...Object.fromEntries(
        named.map(({ name, values }) => [name, Number.isFinite(values[row]) ? values[row] : null]),
      ),
    },
  }));
}

function cellsOf({ stamp, values: { timestamp, ...values } }: Row): string[] {
  return [
    stamp,
    ...Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'number') return '-';
      return name === 'volume' ? countText(value) : plainText(value, 7);
    }),
  ];
}

export function registerChart(program: Command): void {
  const { rowsJsonMax } = limits.technical;
  program
    .command('chart')
    .description('draw candles and indicators of a symbol in the terminal')
    .argument('<symbol>', 'ticker')
    .addOption(modeOption())
    .addOption(
      new Option('--interval <interval>', 'interval of bars').choices(INTERVALS).default('1d'),
    )
    .option('--indicators <list>', 'such as sma:20,rsi; or none', 'sma:20,rsi')
    .addOption(
      new Option('--adjustment <basis>', "price adjustment (default: the symbol's own)").choices(
        BASES,
      ),
    )
    .option('--from <date>', 'first day, YYYY-MM-DD', dayFor('--from'))
    .option('--to <date>', 'last day, YYYY-MM-DD', dayFor('--to'))
    .option(
      '--bars <count>',
      'newest bars to show (default: as many as fit)',
      wholeNumberFor('--bars', 1, rowsJsonMax),
    )
    .option(
      '--width <chars>',
      'draw a chart of this width, also into a pipe',
      wholeNumberFor('--width', WIDTH_MIN, WIDTH_MAX),
    )
    .option('--table', 'print a table, also on a terminal')
    .action(showChart);
}

/** Candles with indicators of many symbols, eight side by side, for bulk responses and exports. */

import { type BarColumns, type Basis, barRows } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import type { DailyInterval } from '../../../base/time/intervals.ts';
import { monotonicMs } from '../../../base/world/clock.ts';
import { defaultBasis } from '../../../compute/bars/adjust.ts';
import type { BarName } from '../../../compute/columns/column.ts';
import { isWhole } from '../../../compute/columns/indicator-spec.ts';
import { LANES } from '../../../compute/columns/layout.ts';
import { Program } from '../../../compute/columns/program.ts';
import type { SymbolColumns, Workspace } from '../../../compute/columns/workspace.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import { copyRows, dailyCopier } from '../../../screens/run/bars-on-basis.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { CandleSeries, CandleWindow } from '../candles/series.ts';
import { rowsOfWindow } from '../candles/served-bars.ts';
import { computedOutputs } from './columns.ts';

export interface IndicatorWindow extends CandleWindow {
  interval: DailyInterval;
  indicators: readonly IndicatorRequest[];
}

/** A series up to the end of the window. Rows before `start` are computed and not given. */
interface SymbolRows {
  info: SymbolInfo;
  adjustment: Basis;
  start: number;
  end: number;
}

/** Bounds of the rows of a group that run at a time. A row of eight takes from 0.1 to 130 µs. */
const RUN_ROWS_MIN = 8;
const RUN_ROWS_MAX = 4096;

const BAR_COLUMNS = 6;

/**
 * Yields the series of symbols in their order, as `candleSeries` does. Series without rows come in
 * between: there, and after each series, the caller may let other work run.
 *
 * @param symbols Symbols of the snapshot, all available on the window's adjustment.
 */
export function* indicatorSeries(
  snapshot: BarsSnapshot,
  symbols: Iterable<string>,
  window: IndicatorWindow,
): Generator<CandleSeries> {
  const groups = new SeriesGroups(snapshot, window);
  const { rowsMax } = groups;
  let group: SymbolRows[] = [];
  let longest = 0;
  for (const symbol of symbols) {
    yield withoutRows(symbol);
    const one = symbolRows(snapshot, symbol, window);
    if (!one) continue;
    longest = Math.max(longest, one.end);
    if (group.length === LANES || (group.length + 1) * longest > rowsMax) {
      yield* groups.series(group);
      group = [];
      longest = one.end;
    }
    group.push(one);
  }
  yield* groups.series(group);
}

/** Finds the rows of a symbol; undefined if the window has none of them. */
function symbolRows(
  snapshot: BarsSnapshot,
  symbol: string,
  window: IndicatorWindow,
): SymbolRows | undefined {
  const info = snapshot.symbol(symbol);
  if (!info) return undefined;
  const { interval, adjustment = defaultBasis(info) } = window;
  const { start, end } = rowsOfWindow(snapshot, symbol, interval, window);
  if (start === end) return undefined;
  return { info, adjustment, start, end };
}

function withoutRows(symbol: string): CandleSeries {
  return { symbol, adjustment: 'raw', rowCount: 0, indicators: [], copyRows() {} };
}

/** Computes groups of at most eight series, in memory that is reused. */
class SeriesGroups {
  /** Rows of a group, counted as if each series were as long as the longest. */
  readonly rowsMax: number;
  readonly #snapshot: BarsSnapshot;
  readonly #window: IndicatorWindow;
  readonly #program: Program;
  /** False if an indicator is computed on its own, and so are all. */
  readonly #isShared: boolean;
  readonly #free: Workspace[] = [];
  #runRows = RUN_ROWS_MIN;

  constructor(snapshot: BarsSnapshot, window: IndicatorWindow) {
    const { indicators } = window;
    this.#snapshot = snapshot;
    this.#window = window;
    this.#isShared = !indicators.some(({ isAlone }) => isAlone);
    const shared = this.#isShared ? indicators : [];
    this.#program = new Program(shared.flatMap(({ spec, params }) => spec.expressions(params)));
    const outputs = indicators.reduce((sum, { spec }) => sum + spec.outputs.length, 0);
    this.rowsMax = limits.bulk.groupValuesMax / outputs;
  }

  /** Yields series side by side; those with gaps are computed one by one. */
  *series(group: readonly SymbolRows[]): Generator<CandleSeries> {
    const program = this.#program;
    const workspace = this.#free.pop() ?? program.workspace();
    // Bars are read into the columns where they are computed.
    const symbols = workspace.symbols(
      group.map(({ end }) => end),
      { others: BAR_COLUMNS - program.inputs.length },
    );
    const lanes = symbols.map((columns) => ({ bars: barsOf(columns), values: columns.outputs }));
    for (const [i, { info, adjustment, end }] of group.entries()) {
      const copy = dailyCopier(this.#snapshot, info, this.#window.interval, adjustment);
      copy({ start: 0, end }, lanes[i].bars);
      yield withoutRows(info.symbol);
    }
    const whole = lanes.filter(({ bars }) => this.#isShared && isWhole(bars, program.inputs));
    // The longest first, so that those which have ended are the last ones.
    let running = whole.toSorted((a, b) => lengthOf(b) - lengthOf(a));
    const fromRow = Math.min(...group.map(({ start }) => start));
    const state = new Float64Array(program.stateRows * LANES);
    for (let row = 0; running.length > 0; ) {
      const inputs = running.map(({ bars }) => barRows(bars, row));
      const out = running.map(({ values }) => values.map((column) => column.subarray(row)));
      const rows = Math.min(this.#runRows, lengthOf(running[0]) - row);
      const startMs = monotonicMs();
      program.run(inputs, rows, out, { row, state, fromRow, workspace });
      this.#learn(rows, monotonicMs() - startMs);
      row += rows;
      running = running.filter((one) => lengthOf(one) > row);
      yield withoutRows(group[0].info.symbol);
    }
    const given = group.reduce((sum, { start, end }) => sum + end - start, 0);
    // Few rows wait in a batch for those of other groups: copies of them free the rest.
    const isCopied = given < limits.bulk.batchRowsMin;
    let unread = group.length;
    const release = () => {
      if (--unread === 0) this.#free.push(workspace);
    };
    for (const [i, { info, adjustment, start, end }] of group.entries()) {
      let bars: BarColumns = lanes[i].bars;
      let values: readonly Float64Array[] = lanes[i].values;
      if (!whole.includes(lanes[i])) {
        values = this.#window.indicators.flatMap((request) =>
          computedOutputs(request, bars, { start: 0, end }),
        );
      }
      values = values.map((column) => column.subarray(start, end));
      bars = barRows(bars, start, end);
      const rowCount = end - start;
      const series = { symbol: info.symbol, adjustment, rowCount };
      if (isCopied) {
        const block = blockOf(bars, values);
        release();
        yield {
          ...series,
          get indicators() {
            return columnsOf(block, rowCount).values;
          },
          copyRows: (from, to, out) => copyRows(columnsOf(block, rowCount).bars, from, to, out),
        };
        continue;
      }
      yield {
        ...series,
        indicators: values,
        copyRows: (from, to, out) => copyRows(bars, from, to, out),
        release,
      };
    }
  }

  /** Takes fewer rows at a time after a slow run, and more after a quick one. */
  #learn(rows: number, ms: number): void {
    const budgetMs = limits.bulk.tickBudgetMs / 2;
    if (ms > budgetMs) this.#runRows = Math.max(RUN_ROWS_MIN, Math.floor(rows / 2));
    else if (ms < budgetMs / 4 && rows === this.#runRows) {
      this.#runRows = Math.min(RUN_ROWS_MAX, rows * 2);
    }
  }
}

function lengthOf({ bars }: { bars: BarColumns }): number {
  return bars.close.length;
}

/**
 * Copies columns into one array. Rows wait in it until a batch is full; an array for each column
 * would outlive the young generation of the runtime.
 */
function blockOf(bars: BarColumns, values: readonly Float64Array[]): Float64Array {
  const { timestampUs, open, high, low, close, volume } = bars;
  const { buffer, byteOffset, length } = timestampUs;
  const time = new Float64Array(buffer, byteOffset, length);
  const columns = [time, open, high, low, close, volume, ...values];
  const block = new Float64Array(columns.length * length);
  for (const [i, column] of columns.entries()) block.set(column, i * length);
  return block;
}

function columnsOf(
  block: Float64Array,
  rowCount: number,
): { bars: BarColumns; values: Float64Array[] } {
  const [time, open, high, low, close, volume, ...values] = Array.from(
    { length: block.length / rowCount },
    (_, i) => block.subarray(i * rowCount, (i + 1) * rowCount),
  );
  const timestampUs = new BigInt64Array(time.buffer, time.byteOffset, rowCount);
  return { bars: { timestampUs, open, high, low, close, volume }, values };
}

/** Columns that no indicator reads are among the others. */
function barsOf({ inputs, others }: SymbolColumns): BarColumns {
  const [time, ...left] = others;
  const column = (name: BarName) => inputs[name] ?? left.pop()!;
  return {
    timestampUs: new BigInt64Array(time.buffer, time.byteOffset, time.length),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

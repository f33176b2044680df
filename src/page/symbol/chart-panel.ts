/** The chart with its legend, marks and keyboard. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { darkPreference } from '../chart/palette.ts';
import { createPriceChart, type PriceChart } from '../chart/price-chart.ts';
import { rowAtOrBefore } from '../chart/series.ts';
import { type Children, html } from '../parts/html.ts';
import { createStore, useStore } from '../state/store.ts';
import type { ChartAddress } from './chart-address.ts';
import { Legend, spokenRow } from './legend.ts';
import { type LegendEntry, plotsOf } from './plots.ts';
import { firstRowOfRange } from './ranges.ts';
import type { LoadedBars } from './use-bars.ts';

/** Places of the chart that overlays follow. */
export interface ChartPlaces {
  chart: PriceChart;
  bars: LoadedBars;
  /** Changes whenever bars or panes have moved. */
  moves: number;
}

interface PanelProps {
  address: ChartAddress;
  bars: LoadedBars;
  entries: readonly LegendEntry[];
  onOlderNeeded: () => void;
  onRemove: (key: string) => void;
  onEdit: (key: string) => void;
  /** Draws marks over the price pane. */
  overlay: (places: ChartPlaces) => Children;
}

/** Bars by which the arrow keys with Shift move. */
const STRIDE = 10;

export function ChartPanel(props: PanelProps) {
  const { address, bars, entries, onOlderNeeded, onRemove, onEdit, overlay } = props;
  const { series, isDaily, subject, adjustment } = bars;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart | undefined>(undefined);
  const older = useRef(onOlderNeeded);
  older.current = onOlderNeeded;
  // A time, because older bars change the numbers of rows.
  const points = useMemo(() => createStore<number | undefined>(undefined), []);
  const pointed = useStore(points);
  const [moves, setMoves] = useState(0);
  const [spoken, speak] = useState('');
  const [scheme, setScheme] = useState(darkPreference.matches);

  useEffect(() => {
    const made = createPriceChart(element.current!, {
      onPoint: points.set,
      onMove: () => setMoves((count) => count + 1),
      onOlderNeeded: () => older.current(),
    });
    chart.current = made;
    const repaint = () => setScheme(darkPreference.matches);
    darkPreference.addEventListener('change', repaint);
    return () => {
      darkPreference.removeEventListener('change', repaint);
      made.remove();
    };
  }, []);

  const plots = useMemo(() => plotsOf(entries), [entries, scheme]);
  useEffect(() => chart.current?.setSeries(series, plots, isDaily), [series, plots]);
  useEffect(() => {
    chart.current?.showFrom(firstRowOfRange(series, address.range, isDaily));
    points.set(undefined);
  }, [subject, address.range]);

  const last = series.timeMs.length - 1;
  const row = pointed === undefined ? last : rowAtOrBefore(series.timeMs, pointed);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const step = shiftKey ? STRIDE : 1;
    const targets: Record<string, number> = {
      ArrowLeft: row - step,
      ArrowRight: row + step,
      PageUp: row - 20,
      PageDown: row + 20,
      Home: chart.current?.visibleRows().from ?? 0,
      End: last,
    };
    if (key === '+' || key === '=') chart.current?.zoom(0.7);
    else if (key === '-') chart.current?.zoom(1.4);
    else if (key === 'Escape') {
      chart.current?.focusRow(undefined);
      points.set(undefined);
    } else if (key in targets) {
      const target = Math.max(0, Math.min(last, targets[key]));
      chart.current?.focusRow(target);
      points.set(series.timeMs[target]);
      speak(spokenRow({ series, row: target, isDaily, entries }));
    } else return;
    event.preventDefault();
  };

  const paneCount = plots.filter(({ isOnPrice }) => !isOnPrice).length;
  const priceVariable = { '--panes': String(paneCount) };
  const tops = chart.current?.panes().map(({ top }) => top) ?? [];
  const label =
    `${address.symbol}, ${address.interval} candles. Arrow keys move from bar to bar, ` +
    'plus and minus zoom; the button Table shows the values as a table.';
  return html`<div class="chart" style=${priceVariable}>
    <div class="canvas" ref=${element} tabIndex=${0} role="application" aria-roledescription="chart"
      aria-label=${label} onKeyDown=${onKeyDown} />
    <${Legend} series=${series} row=${row} isDaily=${isDaily} adjustment=${adjustment}
      entries=${entries} tops=${tops} onRemove=${onRemove} onEdit=${onEdit} />
    ${chart.current && overlay({ chart: chart.current, bars, moves })}
    <p class="unseen" aria-live="polite">${spoken}</p>
  </div>`;
}

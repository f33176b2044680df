/** The chart with its legend, marks and keyboard. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { darkPreference } from '../chart/palette.ts';
import { createPriceChart, type PriceChart } from '../chart/price-chart.ts';
import { rowAtOrBefore } from '../chart/series.ts';
import { type Children, html } from '../parts/html.ts';
import { lazy } from '../parts/lazy.ts';
import { createStore, useStore } from '../state/store.ts';
import type { ChartAddress } from './chart-address.ts';
import { Legend, spokenRow, timeOfRow } from './legend.ts';
import { type LegendEntry, plotsOf } from './plots.ts';
import { firstRowOfRange } from './ranges.ts';
import type { LoadedBars } from './use-bars.ts';

const OriginCard = lazy(
  'the origin of the bar',
  () => import('./origin-card.ts').then(({ OriginCard }) => OriginCard),
  { box: 'notice' },
);

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

const CARD_PX = 416;

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
  // Start of the bar whose origin is shown.
  const [chosen, choose] = useState<number>();
  const [moves, setMoves] = useState(0);
  const [spoken, speak] = useState('');
  const [scheme, setScheme] = useState(darkPreference.matches);

  useEffect(() => {
    const made = createPriceChart(element.current!, {
      onPoint: points.set,
      onChoose: choose,
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
    chart.current?.focusRow(undefined);
    chart.current?.showFrom(firstRowOfRange(series, address.range, isDaily));
    points.set(undefined);
    choose(undefined);
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
    else if (key === 'Enter') choose(series.timeMs[row]);
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
    'Enter shows where a bar comes from, plus and minus zoom; the button Table shows the values as a table.';
  const chosenRow = chosen === undefined ? -1 : rowAtOrBefore(series.timeMs, chosen);
  const x = chart.current?.xOfRow(chosenRow) ?? 0;
  const width = chart.current?.width() ?? 0;
  // Beside the bar, on the side with more room.
  const beside = x > width / 2 ? x - CARD_PX - 16 : x + 16;
  const close = () => {
    choose(undefined);
    element.current?.focus();
  };
  return html`<div class="chart" style=${priceVariable}>
    <div class="canvas" ref=${element} tabIndex=${0} role="application" aria-roledescription="chart"
      aria-label=${label} onKeyDown=${onKeyDown} />
    <${Legend} series=${series} row=${row} isDaily=${isDaily} adjustment=${adjustment}
      entries=${entries} tops=${tops} onRemove=${onRemove} onEdit=${onEdit} />
    ${chart.current && overlay({ chart: chart.current, bars, moves })}
    ${
      chosen !== undefined &&
      html`<${OriginCard} key=${chosen} chart=${address} timeMs=${chosen}
        title=${timeOfRow(series, chosenRow, isDaily)}
        left=${Math.max(8, Math.min(beside, width - CARD_PX - 8))} onClose=${close} />`
    }
    <p class="unseen" aria-live="polite">${spoken}</p>
  </div>`;
}

/** Events as marks at the foot of the price pane: buttons over the canvas. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PriceChart } from '../chart/price-chart.ts';
import { rowAtOrBefore, type Series } from '../chart/series.ts';
import { html } from '../parts/html.ts';
import { newYorkDayMs, newYorkOffsetMs } from '../parts/times.ts';
import { KIND_ROWS, type MarketEvent } from './event.ts';
import { EventCard } from './event-card.ts';

/** Marks closer than this become one, which says how many it holds. */
const MARK_PX = 26;
const CARD_PX = 320;

/** The opening of a session, in milliseconds after midnight. */
const OPEN_MS = 9.5 * 3_600_000;

interface MarksProps {
  chart: PriceChart;
  series: Series;
  isDaily: boolean;
  events: readonly MarketEvent[];
  /** Changes whenever bars or panes have moved. */
  moves: number;
}

interface PlacedEvent {
  event: MarketEvent;
  row: number;
}

interface Mark {
  x: number;
  events: MarketEvent[];
}

/** Returns the row of the bar in which an event lies; −1 if that bar does not exist or is not loaded. */
function rowOf({ timeMs }: Series, isDaily: boolean, { timeMs: at, isDay }: MarketEvent): number {
  if (at > Date.now()) return -1;
  if (isDaily) return rowAtOrBefore(timeMs, isDay ? at : newYorkDayMs(at));
  return rowAtOrBefore(timeMs, isDay ? at - newYorkOffsetMs(at + OPEN_MS) + OPEN_MS : at);
}

/** Joins marks that would overlap, from the left. */
function marksInView(chart: PriceChart, placed: readonly PlacedEvent[]): Mark[] {
  const { from, to } = chart.visibleRows();
  const marks: Mark[] = [];
  for (const { event, row } of placed) {
    if (row < from || row > to) continue;
    const x = chart.xOfRow(row);
    if (x === undefined) continue;
    const before = marks[marks.length - 1];
    if (before && x - before.x < MARK_PX) before.events.push(event);
    else marks.push({ x, events: [event] });
  }
  return marks;
}

/** Names the content of a mark: `2 dividends, 1 split`. */
function markText(events: readonly MarketEvent[]): string {
  const counts = Map.groupBy(events, ({ kind }) => kind);
  return [...counts]
    .map(([kind, own]) => {
      const { one, label } = KIND_ROWS[kind];
      return own.length === 1 ? `${one}: ${own[0].title}` : `${own.length} ${label.toLowerCase()}`;
    })
    .join(', ');
}

function markTone(events: readonly MarketEvent[]): string {
  const tones = new Set(events.map(({ tone }) => tone));
  return tones.size === 1 ? (events[0].tone ?? '') : '';
}

export function Marks({ chart, series, isDaily, events, moves }: MarksProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [openId, open] = useState<string>();
  const [active, activate] = useState(0);
  const placed = useMemo(
    () =>
      events
        .map((event) => ({ event, row: rowOf(series, isDaily, event) }))
        .filter(({ row }) => row >= 0),
    [events, series],
  );
  const marks = useMemo(() => marksInView(chart, placed), [chart, placed, moves]);
  const buttons = () => [...(strip.current?.querySelectorAll('button') ?? [])];
  useEffect(() => {
    if (active >= marks.length) activate(Math.max(0, marks.length - 1));
  }, [marks.length]);
  if (marks.length === 0) return null;

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: active - 1,
      ArrowRight: active + 1,
      Home: 0,
      End: marks.length - 1,
    };
    const target = steps[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(marks.length - 1, target));
    activate(next);
    buttons()[next]?.focus();
  };
  const pane = chart.panes()[0] ?? { top: 0, height: 0 };
  const width = chart.width();
  const opened = marks.findIndex((mark) => mark.events.some(({ id }) => id === openId));
  const items = marks.map(({ x, events: own }, i) => {
    const first = own[0];
    const kinds = new Set(own.map(({ kind }) => kind));
    const letter = kinds.size === 1 ? KIND_ROWS[first.kind].letter : String(own.length);
    const kind = kinds.size === 1 ? first.kind : 'several';
    return html`<button type="button" key=${first.id} class=${`mark ${kind} ${markTone(own)}`}
      style=${{ transform: `translateX(${Math.round(x)}px)` }} tabIndex=${i === Math.min(active, marks.length - 1) ? 0 : -1}
      aria-label=${markText(own)} title=${markText(own)} aria-expanded=${i === opened}
      data-letter=${letter} data-count=${kinds.size === 1 && own.length > 1 ? own.length : undefined}
      onFocus=${() => activate(i)} onClick=${() => open(i === opened ? undefined : first.id)}></button>`;
  });
  const close = () => {
    const at = opened;
    open(undefined);
    buttons()[at]?.focus();
  };
  const card = marks[opened];
  const left = card ? Math.max(8, Math.min(card.x - CARD_PX / 2, width - CARD_PX - 8)) : 0;
  return html`<div class="marks" style=${{ top: `${pane.top + pane.height - 30}px`, width: `${width}px` }}>
    <div ref=${strip} role="toolbar" aria-label="Events on the chart" onKeyDown=${onKeyDown}>${items}</div>
    ${
      card &&
      html`<${EventCard} key=${openId} events=${card.events} left=${left} onClose=${close} />`
    }
  </div>`;
}

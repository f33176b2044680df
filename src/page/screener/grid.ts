/** The table of matches. Only the rows in view are in the document, so that 10,000 scroll as 20 do. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ScreenedRow } from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { percentText } from '../parts/numbers.ts';
import { changedQuery } from '../state/address.ts';
import type { Column } from './columns.ts';

const WIDTH = 104;
const HEIGHT = 24;

interface Line {
  path: string;
  tone: 'up' | 'down';
  label: string;
}

/** Lines by their closes, since rows come back into view. */
const lines = new WeakMap<Float64Array, Line>();

function lineOf(closes: Float64Array): Line {
  const known = lines.get(closes);
  if (known) return known;
  const low = Math.min(...closes);
  const spread = Math.max(...closes) - low || 1;
  const [first, last] = [closes[0], closes[closes.length - 1]];
  const points = Array.from(closes, (close, i) => {
    const x = 1 + (i / (closes.length - 1)) * (WIDTH - 2);
    const y = HEIGHT - 3 - ((close - low) / spread) * (HEIGHT - 6);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const label = `${percentText((last / first - 1) * 100, true)} in ${closes.length} sessions`;
  const line: Line = { path: `M${points.join('L')}`, tone: last >= first ? 'up' : 'down', label };
  lines.set(closes, line);
  return line;
}

/** A line of closes the size of a word. */
function Sparkline({ closes }: { closes: Float64Array | undefined }) {
  if (!closes || closes.length < 2) return null;
  const { path, tone, label } = lineOf(closes);
  return html`<svg class=${`spark ${tone}`} role="img" aria-label=${label}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}><path d=${path} /></svg>`;
}

const ROW_PX = 36;
/** Rows above and below the view that are drawn too. */
const MARGIN_ROWS = 8;
/** Rows in the document at most. */
const DRAWN_MAX = 90;
/** Rest after a jump before the rows around the view are drawn. */
const REST_MS = 100;
/** Rows behind the view that are loaded ahead. */
const AHEAD_ROWS = 200;

interface GridProps {
  rows: readonly ScreenedRow[];
  total: number;
  columns: readonly Column[];
  sort: string;
  order: 'asc' | 'desc';
  adjusted: ReadonlySet<string>;
  closes: ReadonlyMap<string, Float64Array>;
  /** Place to scroll to at first. */
  firstTop: number;
  onSort: (sort: string) => void;
  onOpen: (symbol: string) => void;
  onExplain: ((symbol: string) => void) | undefined;
  /** Called with the rows in view, and the number of rows to have loaded. */
  onView: (shown: readonly ScreenedRow[], count: number, top: number) => void;
}

function rowId(index: number): string {
  return `match-${index}`;
}

export function Grid(props: GridProps) {
  const { rows, total, columns, sort, order, adjusted, closes, onOpen, onExplain, onView } = props;
  const box = useRef<HTMLDivElement>(null);
  const seenTop = useRef(0);
  const rest = useRef(0);
  const [view, setView] = useState({ first: 0, count: 30 });
  const [active, activate] = useState(0);
  const [isWide, setWide] = useState(false);

  const measure = (isAtRest?: boolean) => {
    const { scrollTop, clientHeight } = box.current!;
    const top = Math.floor(scrollTop / ROW_PX);
    // A second look at the same place, as after a change of columns, leaves the rest to its timer.
    if (rest.current && !isAtRest && top === seenTop.current) return;
    const shown = Math.min(DRAWN_MAX - 2 * MARGIN_ROWS, Math.ceil(clientHeight / ROW_PX) + 1);
    // A jump changes every row. Half the work is in rows out of view, which wait until it rests.
    const isJump = !isAtRest && Math.abs(top - seenTop.current) >= shown;
    seenTop.current = top;
    clearTimeout(rest.current);
    rest.current = isJump ? setTimeout(() => measure(true), REST_MS) : 0;
    const margin = isJump ? 0 : MARGIN_ROWS;
    const first = Math.max(0, top - margin);
    const count = shown + 2 * margin;
    setView((held) => (held.first === first && held.count === count ? held : { first, count }));
  };
  useLayoutEffect(() => {
    box.current!.scrollTop = props.firstTop;
  }, []);
  useLayoutEffect(() => {
    measure();
    const resized = new ResizeObserver(() => {
      measure();
      setWide(box.current!.scrollWidth > box.current!.clientWidth);
    });
    resized.observe(box.current!);
    return () => {
      resized.disconnect();
      clearTimeout(rest.current);
    };
  }, [columns]);

  const end = Math.min(total, view.first + view.count);
  useEffect(() => {
    onView(rows.slice(view.first, end), end + AHEAD_ROWS, box.current?.scrollTop ?? 0);
  }, [view, rows, end]);

  const template = useMemo(
    () =>
      [
        'minmax(5.5rem, 7rem)',
        ...columns.map(({ width }) => `minmax(${width}rem, ${width}fr)`),
      ].join(' ') + (onExplain ? ' 2.5rem' : ''),
    [columns, onExplain === undefined],
  );

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    activate(next);
    const { scrollTop, clientHeight } = box.current!;
    const head = ROW_PX;
    const top = next * ROW_PX;
    if (top < scrollTop) box.current!.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight - head)
      box.current!.scrollTop = top + ROW_PX - clientHeight + head;
    measure();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(box.current!.clientHeight / ROW_PX) - 2);
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: total - 1,
    };
    const symbol = rows[active]?.symbol;
    if (event.key in steps) goTo(steps[event.key]);
    else if (event.key === 'Enter' && symbol) onOpen(symbol);
    else if (event.key === 'e' && symbol && onExplain) onExplain(symbol);
    else return;
    event.preventDefault();
  };

  const heads = columns.map((column) => {
    const isSorted = column.sort !== undefined && column.sort === sort;
    const direction = order === 'asc' ? 'ascending' : 'descending';
    const side = column.isText ? 'text' : '';
    if (column.sort === undefined)
      return html`<div key=${column.text} role="columnheader" class=${side} title=${column.text}>${column.title}</div>`;
    return html`<div key=${column.text} role="columnheader" class=${side} aria-sort=${isSorted ? direction : 'none'}>
      <button type="button" title=${`Sort by ${column.text}`} onClick=${() => props.onSort(column.sort!)}>
        <span class="head-title">${column.title}</span>${isSorted && html`<span aria-hidden="true">${order === 'asc' ? '↑' : '↓'}</span>`}
      </button></div>`;
  });

  // A row that leaves the view gives its elements to one that enters it.
  const drawn = [];
  for (let index = view.first; index < end; index++) {
    const row = rows[index];
    drawn.push(
      html`<${Row} key=${index % DRAWN_MAX} index=${index} row=${row} columns=${columns} template=${template}
        isActive=${index === active} isAdjusted=${row !== undefined && adjusted.has(row.symbol)}
        closes=${row && closes.get(row.symbol)} onOpen=${onOpen} onExplain=${onExplain} onChoose=${activate} />`,
    );
  }
  const isActiveDrawn = active >= view.first && active < end;
  return html`<div class=${isWide ? 'grid wide-grid' : 'grid'} role="grid" ref=${box} tabIndex=${0} aria-label="Matches"
      aria-rowcount=${total + 1} aria-colcount=${columns.length + (onExplain ? 2 : 1)}
      aria-activedescendant=${isActiveDrawn ? rowId(active) : undefined}
      onScroll=${() => measure()} onKeyDown=${onKeyDown}>
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex=${1} class="grid-row" style=${{ gridTemplateColumns: template }}>
        <div role="columnheader" class="text first">Symbol</div>${heads}
        ${onExplain && html`<div role="columnheader"><span class="unseen">Reasons</span></div>`}
      </div>
    </div>
    <div role="rowgroup" class="grid-body" style=${{ height: `${total * ROW_PX}px` }}>${drawn}</div>
  </div>`;
}

interface RowProps {
  index: number;
  /** Undefined while it is not loaded. */
  row: ScreenedRow | undefined;
  columns: readonly Column[];
  template: string;
  isActive: boolean;
  isAdjusted: boolean;
  closes: Float64Array | undefined;
  onOpen: (symbol: string) => void;
  onExplain: ((symbol: string) => void) | undefined;
  onChoose: (index: number) => void;
}

function toneOf(value: unknown): string {
  if (typeof value !== 'number' || value === 0) return '';
  return value > 0 ? 'up' : 'down';
}

function Row(props: RowProps) {
  const { index, row, columns, template, isActive, isAdjusted, closes, onOpen, onExplain } = props;
  // The same node again spares the comparison of all its cells while one scrolls.
  return useMemo(() => {
    const style = { transform: `translateY(${index * ROW_PX}px)`, gridTemplateColumns: template };
    const common = { role: 'row', id: rowId(index), 'aria-rowindex': index + 2, style };
    if (!row) {
      return html`<div ...${common} class="grid-row match">
        <div role="gridcell" class="text first"><span class="bone" /><span class="unseen">Loading</span></div>
        ${columns.map(({ text }) => html`<div key=${text} role="gridcell"><span class="bone" /></div>`)}
      </div>`;
    }
    const { symbol } = row;
    const cells = columns.map((column) => {
      if (column.text === 'trend')
        return html`<div key="trend" role="gridcell" class="trend"><${Sparkline} closes=${closes} /></div>`;
      const value = column.valueOf(row);
      const tone = column.isSigned ? toneOf(value) : '';
      return html`<div key=${column.text} role="gridcell" class=${column.isText ? 'text' : tone}
        title=${column.isText ? (value ?? undefined) : undefined}>${column.textOf(value)}</div>`;
    });
    const open = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      props.onChoose(index);
      onOpen(symbol);
    };
    const explain = (event: MouseEvent) => {
      event.stopPropagation();
      props.onChoose(index);
      onExplain?.(symbol);
    };
    const classes = `grid-row match${isActive ? ' active' : ''}`;
    return html`<div ...${common} class=${classes} aria-selected=${isActive} onClick=${open}>
      <div role="gridcell" class="text first">
        <a href=${`?${changedQuery({ symbol }, true)}`} tabIndex=${-1}>${symbol}</a>${isAdjusted && html`<span class="adjusted" title="Prices of that day have later splits or dividends in them"> adj.</span>`}
      </div>
      ${cells}
      ${
        onExplain &&
        html`<div role="gridcell" class="why"><button type="button" class="plain why-button" tabIndex=${-1}
          aria-label=${`Why ${symbol} matches`} title="Why it matches (e)" onClick=${explain}>?</button></div>`
      }
    </div>`;
  }, [index, row, columns, template, isActive, isAdjusted, closes, onExplain === undefined]);
}

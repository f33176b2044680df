/** The matches of a screen, or the state in their place. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ScreenedRow, ScreenerError } from '../../../clients/typescript/operations.js';
import { AddButton } from '../fill/open.ts';
import { html } from '../parts/html.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { amend, go } from '../state/address.ts';
import { getText } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { columnOf } from './columns.ts';
import { Grid } from './grid.ts';
import type { HeldRows } from './held-rows.ts';
import type { LoadedRows } from './row-loader.ts';
import type { Screen } from './screen-address.ts';

const SESSIONS = 60;
/** Time for which the view rests before its symbols are requested. */
const REST_MS = 120;

type Closes = ReadonlyMap<string, Float64Array>;

function closesFromCsv(text: string): Map<string, Float64Array> {
  const [head, ...lines] = text.trimEnd().split('\r\n');
  const at = head.split(',').indexOf('close');
  const lists = new Map<string, number[]>();
  for (const line of lines) {
    const cells = line.split(',');
    const close = Number(cells[at]);
    if (!Number.isFinite(close)) continue;
    const list = lists.get(cells[0]);
    if (list) list.push(close);
    else lists.set(cells[0], [close]);
  }
  return new Map([...lists].map(([symbol, list]) => [symbol, Float64Array.from(list)]));
}

/**
 * @param asOf Day of the last close; undefined: the newest.
 * @returns the closes, and a function that requests those of further symbols.
 */
function useCloses(asOf: string | undefined): [Closes, (symbols: readonly string[]) => void] {
  const [closes, setCloses] = useState<Closes>(new Map());
  const requested = useRef(new Set<string>());
  const timer = useRef(0);
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    requested.current = new Set();
    setCloses(new Map());
    return () => {
      abort.current.abort();
      clearTimeout(timer.current);
    };
  }, [asOf]);
  const request = useCallback(
    (symbols: readonly string[]) => {
      clearTimeout(timer.current);
      const missing = symbols.filter((symbol) => !requested.current.has(symbol));
      if (missing.length === 0) return;
      timer.current = setTimeout(() => {
        for (const symbol of missing) requested.current.add(symbol);
        const query = { symbols: missing.join(','), to: asOf, limit: SESSIONS, format: 'csv' };
        getText('v1/svc/candles', query, abort.current.signal).then(
          ({ text }) => {
            const found = closesFromCsv(text);
            setCloses((held) => new Map([...held, ...found]));
          },
          // Rows are complete without their lines; the next view of them requests these again.
          () => {
            for (const symbol of missing) requested.current.delete(symbol);
          },
        );
      }, REST_MS);
    },
    [asOf],
  );
  return [closes, request];
}

interface MatchesProps {
  screen: Screen;
  held: HeldRows;
  onExplain: (symbol: string) => void;
}

export function Matches({ screen, held, onExplain }: MatchesProps) {
  const { loader } = held;
  const loaded = useStore(loader.loaded);
  const { rows, total, failure, adjusted } = loaded;
  const text = screen.columns.join(',');
  const isNarrow = useMedia('(max-width: 46rem)');
  const columns = useMemo(() => {
    // A phone shows the figures first; the name and the line come last.
    const isLate = (name: string) => isNarrow && (name === 'company_name' || name === 'trend');
    const names = [...screen.columns].sort((a, b) => Number(isLate(a)) - Number(isLate(b)));
    return names.map(columnOf);
  }, [text, isNarrow]);
  const [closes, requestCloses] = useCloses(screen.asOf);
  const hasTrend = screen.columns.includes('trend');
  // The last rows of a page that could not be loaded stay; a message below says so.
  useEffect(() => {
    if (failure?.kind !== 'limited' || failure.retryAtMs === undefined || rows.length === 0) return;
    const timer = setTimeout(loader.retry, Math.max(0, failure.retryAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [failure]);

  // Rows without a value come last: if the first one has no market cap, none has.
  const isUnsorted =
    screen.sort === 'market_cap' && screen.order === 'desc' && rows[0]?.marketCap === null;
  useEffect(() => {
    if (isUnsorted) amend({ sort: 'volume' });
  }, [isUnsorted]);

  if (total === undefined || isUnsorted) {
    if (!failure) return html`<${Skeleton} label="the matches" lines=${14} />`;
    const field = (failure.body as ScreenerError | undefined)?.expression?.field;
    if (field !== undefined) return html`<${Refused} field=${field} message=${failure.message} />`;
    return html`<${FailureBox} failure=${failure} retry=${loader.retry} subject="the matches" />`;
  }
  if (total === 0) return html`<${NoMatch} screen=${screen} loaded=${loaded} />`;
  const onSort = (sort: string) => {
    const isSame = sort === screen.sort;
    const order = isSame && screen.order === 'desc' ? 'asc' : undefined;
    go({ sort: sort === 'market_cap' ? undefined : sort, order });
  };
  const onView = (shown: readonly ScreenedRow[], count: number, top: number) => {
    held.top = top;
    loader.need(count);
    if (hasTrend) requestCloses(shown.map(({ symbol }) => symbol));
  };
  return html`<${Grid} key=${held.key} rows=${rows} total=${total} columns=${columns} sort=${screen.sort}
      order=${screen.order} adjusted=${adjusted} closes=${closes} firstTop=${held.top} onSort=${onSort}
      onOpen=${(symbol: string) => go({ symbol }, true)}
      onExplain=${screen.where === '' ? undefined : onExplain} onView=${onView} />
    ${
      failure &&
      html`<p class="grid-note" role="alert">Further rows could not be loaded: ${failure.message}
        <button type="button" onClick=${loader.retry}>Try again</button></p>`
    }
    ${
      loaded.isChanged &&
      html`<p class="grid-note" role="status">New data was published while you scrolled: the last
        rows are of the new version. <button type="button" onClick=${held.reload}>Load all again</button></p>`
    }`;
}

/** The state after an expression with an error; the editor shows that of a condition at its place. */
function Refused({ field, message }: { field: string; message: string }) {
  if (field === 'where') {
    return html`<${StateBox} title="The condition has an error">
      <p>Correct the underlined part above and press Enter.</p>
      <p><a href="docs#/Screener/getScreener">The language of screens</a></p>
    <//>`;
  }
  const clear = () => go({ [field]: undefined });
  return html`<${StateBox} title=${`The text of ${field} has an error`} isAlert>
    <p>${message}</p>
    <p><button type="button" onClick=${clear}>${field === 'sort' ? 'Sort by market cap' : 'Show the usual columns'}</button></p>
  <//>`;
}

function NoMatch({ screen, loaded }: { screen: Screen; loaded: LoadedRows }) {
  const filters = Object.keys(screen.filters);
  const isRestricted = screen.where !== '' || filters.length > 0;
  if (!isRestricted) {
    const title = screen.asOf ? `No quotes as of ${screen.asOf}` : 'No symbol has a quote yet';
    return html`<${StateBox} title=${title}>
      <p>${screen.asOf ? 'No symbol has bars of that day.' : 'Load a few symbols, then look again:'}</p>
      ${
        screen.asOf
          ? html`<p><button type="button" onClick=${() => go({ as_of: undefined })}>Show the newest bars</button></p>`
          : html`<p><${AddButton} symbol="" label="Add a symbol" isMain /></p>`
      }
    <//>`;
  }
  const clear = () => go(Object.fromEntries(filters.map((name) => [name, undefined])));
  return html`<${StateBox} title="No symbol matches">
    ${loaded.notFound.length > 0 && html`<p>Unknown symbols: ${loaded.notFound.join(', ')}.</p>`}
    ${loaded.nulls.length > 0 && html`<p>No symbol has a value of ${loaded.nulls.join(', ')}.</p>`}
    <p>Relax the condition, or ask why one symbol does not match: a value that is unknown never passes.</p>
    <p class="row">
      ${filters.length > 0 && html`<button type="button" onClick=${clear}>Clear the filters</button>`}
      ${screen.where !== '' && html`<button type="button" onClick=${() => go({ where: undefined })}>Clear the condition</button>`}
      ${screen.asOf && html`<button type="button" onClick=${() => go({ as_of: undefined })}>Show the newest bars</button>`}
    </p>
  <//>`;
}

/** Returns true while a media query holds. */
function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = () => setHolds(list.matches);
    change();
    list.addEventListener('change', change);
    return () => list.removeEventListener('change', change);
  }, [query]);
  return holds;
}

/** The rows of a screen, loaded page by page as they are needed. */

import type { ScreenedRow, ScreenerPage } from '../../../clients/typescript/operations.js';
import { asFailure, getText, type Query, type RequestFailure } from '../state/request.ts';
import { createStore, type Store } from '../state/store.ts';

const PAGE_ROWS = 200;

export interface LoadedRows {
  /** The first rows of the screen, as far as they are loaded. */
  rows: readonly ScreenedRow[];
  /** Undefined before the first page. */
  total: number | undefined;
  failure: RequestFailure | undefined;
  isLoading: boolean;
  /** Time that the server took for the first page; undefined if it names none. */
  serverMs: number | undefined;
  /** Time from the request for the first page to its response. */
  responseMs: number | undefined;
  /** Session that a screen of a past day shows. */
  asOf: string | undefined;
  /** Symbols whose past prices have later splits or dividends in them. */
  adjusted: ReadonlySet<string>;
  /** Requested symbols without a row. */
  notFound: readonly string[];
  /** Fields or conditions without a value for any symbol. */
  nulls: readonly string[];
  /** True if data was published between two pages. */
  isChanged: boolean;
}

const NONE: LoadedRows = {
  rows: [],
  total: undefined,
  failure: undefined,
  isLoading: true,
  serverMs: undefined,
  responseMs: undefined,
  asOf: undefined,
  adjusted: new Set(),
  notFound: [],
  nulls: [],
  isChanged: false,
};

export interface RowLoader {
  loaded: Store<LoadedRows>;
  /** Loads pages up to that number of rows, one after the other. */
  need(count: number): void;
  retry(): void;
  stop(): void;
}

function namesIn(header: string | null, between = ','): string[] {
  return header === null || header === '' ? [] : header.split(between).map((name) => name.trim());
}

/** Starts with the first page. */
export function loadRows(query: Query): RowLoader {
  const loaded = createStore<LoadedRows>(NONE);
  const abort = new AbortController();
  let wanted = 1;
  let cursor: string | undefined;
  let isBusy = false;

  async function loadPage(): Promise<void> {
    const startMs = performance.now();
    const whole = { ...query, limit: PAGE_ROWS, cursor };
    const { text, headers } = await getText('v1/svc/screener', whole, abort.signal);
    const page = JSON.parse(text) as ScreenerPage;
    const before = loaded.get();
    const isFirst = cursor === undefined;
    const timing = /screen;dur=([\d.]+)/.exec(headers.get('Server-Timing') ?? '')?.[1];
    cursor = page.cursor ?? undefined;
    loaded.set({
      ...before,
      rows: [...before.rows, ...page.data],
      total: page.total,
      serverMs: isFirst ? (timing === undefined ? undefined : Number(timing)) : before.serverMs,
      responseMs: isFirst ? performance.now() - startMs : before.responseMs,
      asOf: headers.get('X-SVC-As-Of') ?? undefined,
      adjusted: new Set([...before.adjusted, ...namesIn(headers.get('X-SVC-Adjusted'))]),
      notFound: namesIn(headers.get('X-SVC-Not-Found')),
      nulls: namesIn(headers.get('X-SVC-Null'), ';'),
      isChanged: headers.get('X-SVC-Snapshot-Changed') === '1',
      failure: undefined,
    });
  }

  function isDone(): boolean {
    const { rows, total } = loaded.get();
    return rows.length >= wanted || (total !== undefined && cursor === undefined);
  }

  async function run(): Promise<void> {
    if (isBusy || loaded.get().failure || isDone()) return;
    isBusy = true;
    if (!loaded.get().isLoading) loaded.set({ ...loaded.get(), isLoading: true });
    try {
      while (!isDone()) await loadPage();
    } catch (error) {
      if (abort.signal.aborted) return;
      loaded.set({ ...loaded.get(), failure: asFailure(error) });
    } finally {
      isBusy = false;
      if (!abort.signal.aborted) loaded.set({ ...loaded.get(), isLoading: false });
    }
  }

  void run();
  return {
    loaded,
    need(count) {
      wanted = Math.max(wanted, count);
      void run();
    },
    retry() {
      loaded.set({ ...loaded.get(), failure: undefined });
      void run();
    },
    stop: () => abort.abort(),
  };
}

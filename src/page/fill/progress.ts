/** A backfill from its acceptance to its result. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Backfill, BackfillResult } from '../../../clients/typescript/operations.js';
import { type Children, html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { getJson, RequestFailure, sendChange } from '../state/request.ts';
import { sourceName } from './vendor-form.ts';

const STEPS: Readonly<Record<string, string>> = {
  fetch: 'Fetching from the source',
  load: 'Loading into the store',
  publish: 'Publishing',
};

const SHOWN_MAX = 5;

const POLL_MS = 1000;
/** Pause after a failed request; the backfill goes on meanwhile. */
const AGAIN_MS = 5000;

interface Followed {
  backfill: Backfill | undefined;
  /** Failure of the newest request; undefined after a success. */
  failure: RequestFailure | undefined;
}

/** Follows a backfill until it has ended. */
function useBackfill(id: string): Followed {
  const [followed, set] = useState<Followed>({ backfill: undefined, failure: undefined });
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const backfill = await getJson<Backfill>(`v1/svc/backfills/${id}`, {}, abort.signal);
        set({ backfill, failure: undefined });
        if (backfill.endedAt === null) timer = setTimeout(look, POLL_MS);
      } catch (error) {
        if (!(error instanceof RequestFailure)) return;
        set((last) => ({ ...last, failure: error }));
        const waitMs = Math.max(AGAIN_MS, (error.retryAtMs ?? 0) - Date.now());
        timer = setTimeout(look, waitMs);
      }
    };
    look();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return followed;
}

interface ProgressProps {
  id: string;
  onOpen: (symbol: string | undefined) => void;
  /** Sends the same request again; `accept` skips the sanity checks. Absent if it can't be. */
  onAgain: ((accept: boolean) => void) | undefined;
  onBack: () => void;
}

export function Progress({ id, onOpen, onAgain, onBack }: ProgressProps) {
  const { backfill, failure } = useBackfill(id);
  const isEnded = backfill !== undefined && backfill.endedAt !== null;
  return html`<div class="fill-progress">
    ${!isEnded && html`<${Running} id=${id} backfill=${backfill} />`}
    ${failure && html`<p class="notice" role="status">The state can’t be read now: ${failure.message} The server goes on loading.</p>`}
    ${isEnded && html`<${Ended} backfill=${backfill} onOpen=${onOpen} onAgain=${onAgain} onBack=${onBack} />`}
  </div>`;
}

function Running({ id, backfill }: { id: string; backfill: Backfill | undefined }) {
  const { progress, waitsFor, state } = backfill ?? {};
  const [isCancelled, setCancelled] = useState(false);
  const [refusal, refuse] = useState<string>();
  const cancel = async () => {
    setCancelled(true);
    refuse(undefined);
    try {
      await sendChange('DELETE', `v1/svc/backfills/${id}`);
    } catch (error) {
      // One that has ended meanwhile can't be cancelled; its result follows.
      if (!(error instanceof RequestFailure) || error.kind === 'refused') return;
      setCancelled(false);
      refuse(error.message);
    }
  };
  const title = isCancelled
    ? 'Cancelling'
    : state === 'running'
      ? (STEPS[progress?.step ?? 'fetch'] ?? 'Publishing')
      : 'Waiting for its turn';
  const isCounted = progress && progress.total > 1;
  return html`<p role="status" class="state-title">${title}…</p>
    <progress aria-label=${title} max=${isCounted ? progress.total : undefined}
      value=${isCounted ? progress.done : undefined}></progress>
    <p class="quiet">${
      isCancelled
        ? 'The part that has begun is loaded to its end.'
        : waitsFor
          ? `Waiting for ${waitsFor}`
          : isCounted
            ? `${countText(progress.done)} of ${countText(progress.total)}`
            : 'You can close this; the server goes on.'
    }</p>
    ${refusal && html`<p class="refusal" role="alert">It was not cancelled: ${refusal}</p>`}
    <p><button type="button" disabled=${isCancelled || !backfill} onClick=${cancel}>Cancel this load</button></p>`;
}

interface EndedProps extends Omit<ProgressProps, 'id'> {
  backfill: Backfill;
}

function Ended({ backfill, onOpen, onAgain, onBack }: EndedProps) {
  const { state, result, error } = backfill;
  const focus = useRef<HTMLDivElement>(null);
  useEffect(() => focus.current?.querySelector('button')?.focus(), []);
  const isHeld = error?.includes('sanity check') ?? false;
  const first = symbolOf(backfill);
  // A cancelled one keeps what it had fetched.
  const hasData = state === 'done' || (result?.accepted ?? 0) > 0;
  return html`
    <div role=${state === 'done' ? 'status' : 'alert'}>
      <p class="state-title">${titleOf(backfill)}</p>
      ${error && !result?.sources.length && html`<p class="why">${error}</p>`}
    </div>
    ${result && html`<${Result} result=${result} />`}
    <div class="row" ref=${focus}>
      ${
        hasData &&
        html`<button type="button" class="main" onClick=${() => onOpen(first)}>${first ? `Open ${first}` : 'Show the data'}</button>`
      }
      ${isHeld && onAgain && html`<button type="button" onClick=${() => onAgain(true)}>Load it anyway</button>`}
      ${state !== 'done' && !isHeld && onAgain && html`<button type="button" class=${hasData ? '' : 'main'} onClick=${() => onAgain(false)}>Try again</button>`}
      <button type="button" onClick=${onBack}>${state === 'done' ? 'Add another' : 'Change the request'}</button>
    </div>`;
}

function titleOf({ state, result }: Backfill): string {
  if (state === 'cancelled') {
    const rows = result?.accepted ?? 0;
    return rows > 0 ? `Cancelled after ${countText(rows)} rows` : 'Cancelled: nothing was loaded';
  }
  if (state === 'failed') return 'Nothing was loaded';
  if (result?.accepted === 0) return 'Already up to date';
  return `${countText(result?.accepted ?? 0)} rows loaded`;
}

/** Returns the first symbol that a source gave, or one of the file. */
function symbolOf({ symbols, result }: Backfill): string | undefined {
  const given = result?.sources.find(({ source }) => source !== null)?.symbol;
  return given ?? symbols?.[0] ?? result?.loaded[0]?.lastSymbol ?? undefined;
}

function Result({ result }: { result: BackfillResult }) {
  const { refused, refusedByReason, loaded, sources, skipped, failures, notes } = result;
  const readings = (result.readings ?? []).map((reading) => `Read ${reading}`);
  const rows = loaded.map((one) => {
    const noun = one.dataset === 'candles' ? `bars (${one.interval})` : `rows of ${one.dataset}`;
    const days = one.from === null ? '' : `, ${one.from} to ${one.to}`;
    return `${countText(one.rows)} ${noun} of ${countText(one.symbols)} ${one.symbols === 1 ? 'symbol' : 'symbols'}${days}`;
  });
  return html`
    <${Listed} items=${rows} />
    <${Listed} items=${readings} />
    ${refused > 0 && html`<h3>${countText(refused)} rows refused</h3>`}
    <${Listed} items=${refusedByReason.map(({ reason, count }) => `${countText(count)}: ${reason}`)} />
    ${sources.slice(0, SHOWN_MAX).map(
      ({ symbol, source, isUpToDate, tried }) => html`<div key=${symbol}>
        <h3>${symbol}: ${source === null ? 'no source gave it' : `from ${sourceName(source)}`}${isUpToDate ? ', up to date' : ''}</h3>
        ${tried.length > 0 && html`<${Tried} tried=${tried} isOpen=${source === null} />`}
      </div>`,
    )}
    ${
      isKeyMissing(sources) &&
      html`<p class="quiet">Keys of vendors are settings of the server: set one,
      restart the server, and try again. Or load a file.</p>`
    }
    <${Listed} items=${sources.length > 0 ? [] : skipped.map(({ name, reason }) => `${name}: ${reason}`)} />
    <${Listed} items=${failures.map(({ title, reason }) => `${title}: ${reason}`)} />
    <${Listed} items=${notes} />`;
}

type Sources = BackfillResult['sources'];

/** Returns true if a symbol has no source, and a vendor that might have it lacks its key. */
function isKeyMissing(sources: Sources): boolean {
  return sources.some(
    ({ source, tried }) =>
      source === null && tried.some(({ outcome }) => outcome === 'not configured'),
  );
}

/** Lists what the sources before the right one said; closed where one was found. */
function Tried({ tried, isOpen }: { tried: Sources[number]['tried']; isOpen: boolean }) {
  const rows = tried.map(({ source, outcome, message }) => {
    const name = sourceName(source);
    const words = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
    return html`<div key=${source}><dt>${name}</dt><dd><b>${outcome}:</b> ${words}</dd></div>`;
  });
  return html`<details open=${isOpen}>
    <summary>${isOpen ? 'Responses of the vendors' : 'Vendors before it'}</summary>
    <dl class="tried">${rows}</dl>
  </details>`;
}

function Listed({ items }: { items: readonly string[] }): Children {
  if (items.length === 0) return null;
  const more = items.length - SHOWN_MAX;
  return html`<ul class="fill-list">${items.slice(0, SHOWN_MAX).map((text, i) => html`<li key=${i}>${text}</li>`)}
    ${more > 0 && html`<li class="quiet">and ${countText(more)} more</li>`}</ul>`;
}

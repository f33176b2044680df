/** The dialog that loads symbols from a vendor, or a file, and shows how that goes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  AcceptedBackfill,
  Backfill,
  BackfillPage,
} from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { ageText } from '../parts/times.ts';
import { changedQuery } from '../state/address.ts';
import { isLive } from '../state/key.ts';
import { getJson, RequestFailure, requestPath, sendChange, sendFile } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { FileForm, type FileOrder } from './file-form.ts';
import { LIVE_KEY_COMMAND, LiveSteps, type Wanted } from './open.ts';
import { Progress } from './progress.ts';
import { sourceName, VendorForm, type VendorOrder } from './vendor-form.ts';

const SHOWN = 10;

interface EarlierProps {
  onShow: (backfill: Backfill) => void;
}

/** The list is requested once it is opened: a key without the scope could not read it. */
function Earlier({ onShow }: EarlierProps) {
  const [isOpen, open] = useState(false);
  return html`<details onToggle=${(event: Event) => open((event.target as HTMLDetailsElement).open)}>
    <summary>Earlier loads</summary>
    ${isOpen && html`<${List} onShow=${onShow} />`}
  </details>`;
}

function List({ onShow }: EarlierProps) {
  const { value, failure, retry } = useRequest('loads', 'loads', (signal) =>
    getJson<BackfillPage>('v1/svc/backfills', { limit: SHOWN }, signal),
  );
  if (failure)
    return html`<${FailureBox} failure=${failure} retry=${retry} subject="earlier loads" />`;
  if (!value) return html`<${Skeleton} label="earlier loads" />`;
  if (value.data.length === 0) return html`<p class="quiet">None in the last 30 days.</p>`;
  const rows = value.data.map((one: Backfill) => {
    const age = ageText(Date.now() - Date.parse(one.createdAt));
    return html`<li key=${one.id}><button type="button" class="plain" onClick=${() => onShow(one)}>${titleOf(one)}</button>
      <span class="quiet">${one.state}, ${age} ago</span></li>`;
  });
  return html`<ul class="earlier">${rows}</ul>`;
}

function titleOf({ symbols, file, source }: Backfill): string {
  if (file) return file.name;
  const [first, ...others] = symbols ?? [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `${first ?? 'All symbols'}${more} from ${source === 'any' ? 'any vendor' : sourceName(source)}`;
}

type Order = VendorOrder | FileOrder;

const PATH = 'v1/svc/backfills';

async function send(order: Order, accept: boolean): Promise<AcceptedBackfill | undefined> {
  if (!('file' in order)) return sendChange('POST', PATH, { ...order, accept });
  const { file, dataset, symbol, readings } = order;
  const query = {
    name: file.name,
    dataset,
    symbol,
    ...readings,
    accept: accept ? 'true' : undefined,
  };
  return sendFile(requestPath(`${PATH}/files`, query), file);
}

/** Returns the request of an earlier load; undefined if it needs a file of the person. */
function orderOf({ source, dataset, symbols, from, to, file }: Backfill): Order | undefined {
  if (file || !symbols) return undefined;
  return { source, dataset, symbols, from: from ?? undefined, to: to ?? undefined };
}

interface DialogProps {
  wish: Wanted;
  onClose: () => void;
}

export function FillDialog({ wish, onClose }: DialogProps) {
  const { symbol, source } = wish;
  const dialog = useRef<HTMLDialogElement>(null);
  const [kind, setKind] = useState<'vendor' | 'file'>('vendor');
  const [order, setOrder] = useState<Order>();
  const [id, setId] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<RequestFailure>();
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (id === undefined) dialog.current?.querySelector<HTMLElement>('.fill-form input')?.focus();
  }, [id, kind]);
  const submit = async (next: Order, accept = false) => {
    setOrder(next);
    setFailure(undefined);
    setBusy(true);
    setId(undefined);
    try {
      setId((await send(next, accept))?.id);
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const show = (backfill: Backfill) => {
    setOrder(orderOf(backfill));
    setId(backfill.id);
  };
  // A visit of its own, so that no view shows what was requested before the data came.
  const open = (loaded: string | undefined) =>
    location.assign(`?${changedQuery({ symbol: loaded, view: undefined })}`);
  const given = order && 'symbols' in order ? order.symbols.join(', ') : symbol;
  const file = order && 'file' in order ? order : undefined;
  const tab = (
    name: typeof kind,
    text: string,
  ) => html`<button type="button" aria-pressed=${kind === name}
    onClick=${() => setKind(name)}>${text}</button>`;
  const forms = html`
    <div class="row" role="group" aria-label="Where the data comes from">
      ${tab('vendor', 'From a vendor')}${tab('file', 'From a file')}
    </div>
    ${
      kind === 'vendor'
        ? html`<${VendorForm} key=${given} symbol=${given} source=${source} isBusy=${isBusy} onSubmit=${submit} />`
        : html`<${FileForm} symbol=${symbol} given=${file} isBusy=${isBusy} onSubmit=${submit} />`
    }
    ${failure && html`<${Refused} failure=${failure} />`}
    <${Earlier} onShow=${show} />`;
  const body = () => {
    if (!isLive()) return html`<${LiveSteps} />`;
    if (id === undefined) return forms;
    return html`<${Progress} key=${id} id=${id} onOpen=${open} onBack=${() => setId(undefined)}
      onAgain=${order && ((accept: boolean) => submit(order, accept))} />`;
  };
  return html`<dialog ref=${dialog} class="dialog fill" aria-labelledby="fill-title" onClose=${onClose}>
    <header class="dialog-head">
      <h2 id="fill-title">Add ${symbol || 'a symbol'}</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button>
    </header>
    ${body()}
  </dialog>`;
}

/** Explains a refused request, and what to do. */
function Refused({ failure }: { failure: RequestFailure }) {
  const { kind, message, status, requestId } = failure;
  if (kind === 'forbidden') {
    return html`<div class="notice" role="alert">
      <p><b>This key may not load data.</b> ${message}.</p>
      <p>Make one that may, and sign in with it: <code>${LIVE_KEY_COMMAND}</code></p>
    </div>`;
  }
  if (status === 503 || kind === 'limited' || kind === 'unreachable') {
    return html`<div class="notice" role="alert"><p>${message}</p></div>`;
  }
  return html`<p class="refusal" role="alert">${inWords(message)}${
    kind === 'failed' && requestId ? html` (request <code>${requestId}</code>)` : ''
  }</p>`;
}

/** Replaces the place in the body, which has a meaning for programs alone. */
function inWords(message: string): string {
  return message
    .replace(/^symbols\.\d+ must be a symbol, got (.*)$/, '$1 is not a symbol')
    .replace(/^symbols\.\d+ /, 'A symbol ');
}

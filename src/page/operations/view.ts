/** The view of operations: what needs a person first, then the state of everything. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperatorReport, RefusedReport, RetryRequest } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { bytesText, countText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { ageText, momentText } from '../parts/times.ts';
import { forgetToken, keepToken, operatorSession } from '../state/operator.ts';
import { asFailure, getJson, type RequestFailure, sendChange } from '../state/request.ts';
import { useStore } from '../state/store.ts';
import { useRequest } from '../state/use-request.ts';
import { AcceptDialog } from './accept-dialog.ts';
import { Attention, type AttentionItem, attentionOf } from './attention.ts';
import { Freshness } from './freshness.ts';
import { Gaps } from './gaps.ts';
import { Keys } from './keys.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';
import { More, Panel, Table } from './table.ts';
import { Webhooks } from './webhooks.ts';

/** The form for the operator's token, while the tab has none. */
function TokenForm({ notice }: { notice: string | undefined }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') keepToken(text.trim());
  };
  return html`<div class="sign-in">
    <h1>Operations</h1>
    <p>Freshness of the data, failed jobs, held loads, refused rows, disk, keys and webhooks. Only
      the operator of this server may see them.</p>
    ${notice && html`<p class="notice" role="alert">${notice}</p>`}
    <form onSubmit=${submit}>
      <label for="token">Operator's token</label>
      <div class="row">
        <input id="token" type="password" autocomplete="off" spellcheck=${false} value=${text}
          onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <button type="submit" class="main">Show operations</button>
      </div>
    </form>
    <p class="quiet">The token stays in this tab and ends with it. It is sent to this server only.</p>
    <h2>Where the token comes from</h2>
    <p>It is the setting <code>TAPEWORKS_ADMIN_TOKEN</code> of the server:</p>
    <p><code>TAPEWORKS_ADMIN_TOKEN=$(openssl rand -hex 24 | tee token.txt) npm start</code></p>
  </div>`;
}

const COLUMNS = [
  { title: 'Reason', kind: 'long' },
  { title: 'Source' },
  { title: 'Rows', kind: 'number' },
  { title: 'Loads', kind: 'number' },
  { title: 'Last', kind: 'number' },
] as const;

/** Refused rows by reason, of the files that are still kept. */
function Refused({ parts, nowMs }: { parts: readonly RefusedReport[]; nowMs: number }) {
  const found = parts.filter(({ rows, uncounted }) => rows + uncounted > 0);
  const rows = parts.reduce((sum, one) => sum + one.rows, 0);
  return html`<${Panel} id="refused" title="Refused rows" summary=${`${countText(rows)} in the last 180 days`}>
    ${found.length === 0 && html`<p class="quiet">No row was refused.</p>`}
    ${found.map(
      ({ mode, reasons, more, folder, uncounted }) => html`<div key=${mode}>
        <${Table} label=${`Refused rows of ${mode} data`} columns=${COLUMNS}
          rows=${reasons.map(({ source, reason, rows, files, newestAt }) => ({
            key: `${source} ${reason}`,
            cells: [
              reason,
              source,
              countText(rows),
              countText(files),
              `${ageText(nowMs - Date.parse(newestAt))} ago`,
            ],
          }))} />
        <${More} count=${more} of="reasons" />
        ${uncounted > 0 && html`<p class="quiet">${countText(uncounted)} older files are not counted.</p>`}
        <p class="quiet">Each row with its file, line and text, ${mode}: <code>${folder}</code></p>
      </div>`,
    )}
  <//>`;
}

/** Free space, sizes of the parts of the data, and the checks of the installation. */
function Disk({ disk }: Pick<OperatorReport, 'disk'>) {
  const { freeBytes, totalBytes, parts } = disk;
  const used = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return html`<${Panel} id="disk" title="Disk"
      summary=${`${bytesText(freeBytes)} free of ${bytesText(totalBytes)}, ${bytesText(used)} used by data`}>
    <${Table} label="Parts of the data" columns=${[
      { title: 'Part' },
      { title: 'Share' },
      { title: 'Size', kind: 'number' },
      { title: 'Files', kind: 'number' },
    ]} rows=${parts.map(({ part, bytes, files }) => ({
      key: part,
      cells: [
        part,
        html`<progress max=${used || 1} value=${bytes} aria-label=${`Share of ${part}`} />`,
        bytesText(bytes),
        countText(files),
      ],
    }))} />
  <//>`;
}

function Checks({ checks, integrity }: Pick<OperatorReport, 'checks' | 'integrity'>) {
  const { ranAt, roundEndedAt, faults } = integrity;
  const round =
    roundEndedAt === null
      ? 'the first round is not complete'
      : `all data by ${momentText(roundEndedAt)}`;
  const detail = ranAt === null ? 'not checked yet' : `last run ${momentText(ranAt)}, ${round}`;
  const state = faults.length > 0 ? 'failed' : ranAt === null ? 'note' : 'ok';
  const all = [...checks, { name: 'integrity of the data', state, detail } as const];
  const tones = { ok: 'up', note: 'quiet', failed: 'down' } as const;
  return html`<${Panel} id="checks" title="Checks">
    <${Table} label="Results of the checks" columns=${[{ title: 'Check' }, { title: 'State' }, { title: 'Detail', kind: 'long' }]}
      rows=${all.map((one) => ({
        key: one.name,
        cells: [one.name, html`<span class=${tones[one.state]}>${one.state}</span>`, one.detail],
      }))} />
  <//>`;
}

export function OperationsView() {
  const { token, notice } = useStore(operatorSession);
  if (token === undefined) return html`<${TokenForm} notice=${notice} />`;
  return html`<${Followed} token=${token} />`;
}

function Followed({ token }: { token: string }) {
  const followed = useReport(token);
  const { report, failure, refresh } = followed;
  if (report) return html`<${Shown} followed=${followed} report=${report} />`;
  const subject = 'operations';
  return html`<div class="view operations">
    <h1>Operations</h1>
    ${
      failure?.kind === 'not-found'
        ? html`<${StateBox} title="Operations are off" isAlert><p>${failure.message}</p>
            <p>Start the server with the setting, then reload the page.</p><//>`
        : failure
          ? html`<${FailureBox} failure=${failure} retry=${refresh} subject=${subject} />`
          : html`<${Skeleton} label=${subject} lines=${14} />`
    }
  </div>`;
}

type Accept = RetryRequest['accept'];

interface Result {
  isFailure: boolean;
  text: string;
}

function Shown({ followed, report }: { followed: FollowedReport; report: OperatorReport }) {
  const { failure, isLoading, refresh } = followed;
  const [busy, setBusy] = useState<string>();
  const [accepted, accept] = useState<AttentionItem>();
  const [result, setResult] = useState<Result>();
  const nowMs = Date.parse(report.at);
  const send = async (item: AttentionItem, jobs: readonly string[], accept: Accept) => {
    setBusy(item.key);
    setResult(await retried(jobs, accept));
    setBusy(undefined);
    refresh();
  };
  return html`<div class="view operations">
    <div class="panel-head"><h1>Operations</h1>
      <p class=${failure ? 'warn' : 'quiet'} role=${failure ? 'alert' : undefined}>
        ${failure ? `Not updated since ${momentText(report.at)}: ${failure.message}` : `As of ${momentText(report.at)}`}</p>
      <button type="button" disabled=${isLoading && failure !== undefined} onClick=${refresh}>Refresh</button>
      <button type="button" class="plain" onClick=${() => forgetToken()}>Forget the token</button></div>
    ${result && html`<p class=${result.isFailure ? 'notice' : 'done-note'} role=${result.isFailure ? 'alert' : 'status'}>${result.text}</p>`}
    <div class="operations-grid">
      <${Freshness} modes=${report.modes} nowMs=${nowMs} />
      <${Attention} items=${attentionOf(report)} canRetry=${report.canRetry} busy=${busy}
        onAccept=${accept} onRetry=${(item: AttentionItem) => send(item, item.retry ?? [], false)} />
      <div>
        <${Runs} jobs=${report.jobs} runs=${report.runs} nowMs=${nowMs} />
        <${Refused} parts=${report.refused} nowMs=${nowMs} />
        <${Gaps} modes=${report.modes} />
      </div>
      <div>
        <${Schedules} schedules=${report.schedules} nowMs=${nowMs} />
        <${Disk} disk=${report.disk} />
        <${Checks} checks=${report.checks} integrity=${report.integrity} />
      </div>
    </div>
    ${report.keys && html`<${Keys} keys=${report.keys} nowMs=${nowMs} />`}
    ${report.webhooks && html`<${Webhooks} webhooks=${report.webhooks} nowMs=${nowMs} />`}
    ${
      accepted?.accept &&
      html`<${AcceptDialog} held=${accepted.accept.held} onClose=${() => accept(undefined)}
        onAccept=${(what: Accept) => {
          accept(undefined);
          if (accepted.accept) void send(accepted, [accepted.accept.run], what);
        }} />`
    }
  </div>`;
}

async function retried(jobs: readonly string[], accept: Accept): Promise<Result> {
  try {
    const sent = await sendChange<{ runs: string[] }>('POST', 'operator/retry', { jobs, accept });
    const runs = sent?.runs.join(', ') ?? '';
    const what = accept ? 'Accepted' : 'Requeued';
    return { isFailure: false, text: `${what}: run ${runs} starts within seconds.` };
  } catch (error) {
    return { isFailure: true, text: asFailure(error).message };
  }
}

const EVERY_MS = 5000;
/** While a run makes progress. */
const BUSY_EVERY_MS = 1500;
const AFTER_FAILURE_MS = 10_000;

interface FollowedReport {
  /** The newest report; also shown while later requests fail. */
  report: OperatorReport | undefined;
  failure: RequestFailure | undefined;
  isLoading: boolean;
  refresh: () => void;
}

function useReport(token: string): FollowedReport {
  const { value, failure, isLoading, retry } = useRequest(token, token, (signal) =>
    getJson<OperatorReport>('operator/status', {}, signal),
  );
  const newest = useRef<OperatorReport | undefined>(undefined);
  if (value) newest.current = value;
  useEffect(() => {
    // A limit counts down in its own box.
    if (isLoading || (failure && !newest.current)) return;
    const isBusy = value?.runs.some(({ state }) => state === 'running' || state === 'waiting');
    const waitMs = failure ? AFTER_FAILURE_MS : isBusy ? BUSY_EVERY_MS : EVERY_MS;
    const look = () => {
      if (document.visibilityState === 'visible') retry();
    };
    const timer = setTimeout(look, Math.max(waitMs, (failure?.retryAtMs ?? 0) - Date.now()));
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isLoading, value, failure]);
  return { report: newest.current, failure, isLoading, refresh: retry };
}

/** Everything that needs a person, most urgent first, with the button or the command that helps. */

import type { HeldReport, OperatorReport, RunReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { bytesText, countText } from '../parts/numbers.ts';
import { ageText } from '../parts/times.ts';
import { Panel } from './table.ts';

export interface AttentionItem {
  key: string;
  isUrgent: boolean;
  title: string;
  detail: string;
  /** Command or setting that helps. */
  remedy?: string;
  /** Failed runs that a button runs again. */
  retry?: readonly string[];
  /** Held loads of the run that a button accepts. */
  accept?: { run: string; held: readonly HeldReport[] };
}

/** Finds what needs a person. */
export function attentionOf(report: OperatorReport): AttentionItem[] {
  const nowMs = Date.parse(report.at);
  const byRun = Map.groupBy(report.held, ({ id, run }) => run ?? id);
  return [
    ...damageOf(report),
    ...serviceOf(report),
    ...[...byRun].map(([key, held]) => heldItem(key, held, nowMs)),
    ...report.runs.flatMap((run) => runItem(run, byRun, nowMs)),
    ...staleOf(report),
    ...(report.webhooks?.webhooks ?? []).flatMap(
      ({ id, url, account, disabledAt, disabledReason }) =>
        disabledAt === null
          ? []
          : {
              key: `webhook ${id}`,
              isUrgent: false,
              title: `A webhook of ${account} is disabled`,
              detail: `${url}: ${disabledReason ?? 'no reason is known'}`,
            },
    ),
    ...report.checks.flatMap(({ name, state, detail }) =>
      state === 'failed'
        ? { key: `check ${name}`, isUrgent: true, title: `Check of the ${name} failed`, detail }
        : [],
    ),
  ];
}

function damageOf({ modes, integrity }: OperatorReport): AttentionItem[] {
  const damaged = modes.flatMap(({ mode, damage }) =>
    damage === null
      ? []
      : {
          key: `damage ${mode}`,
          isUrgent: true,
          title: `Published ${mode} data is damaged`,
          detail: damage,
          remedy: `npx tapeworks compact --full --mode ${mode}`,
        },
  );
  const faults = integrity.faults.map(({ part, fault, remedy }) => ({
    ...{ key: `fault ${part}`, isUrgent: true, title: `${part} is damaged`, detail: fault, remedy },
  }));
  return [...damaged, ...faults];
}

function serviceOf({ disk, jobs, canRetry }: OperatorReport): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (disk.isFull) {
    const detail = `${bytesText(disk.freeBytes)} are free; loads and publishes stop`;
    items.push({ key: 'disk', isUrgent: true, title: 'The disk is full', detail });
  }
  if (jobs === null) {
    const detail = 'Jobs wait, and none can be added, until it responds';
    items.push({ key: 'redis', isUrgent: true, title: 'Redis does not respond', detail });
  } else if (!canRetry) {
    items.push({
      ...{ key: 'keeper', isUrgent: false, title: 'No process runs jobs' },
      detail: 'Schedules do not run, and failed jobs can’t be retried from here',
      remedy: 'npx tapeworks schedule',
    });
  }
  return items;
}

function heldItem(key: string, held: readonly HeldReport[], nowMs: number): AttentionItem {
  const [{ run, source, mode, heldAt }] = held;
  const symbolCount = held.reduce((sum, { symbols }) => sum + symbols.length, 0);
  const isBySymbol = held.every(({ symbols }) => symbols.length > 0);
  const number = isBySymbol ? symbolCount : held.length;
  const noun = isBySymbol ? 'symbol' : 'load';
  const count = number === 1 ? `A ${noun}` : `${countText(number)} ${noun}s`;
  const age = ageText(nowMs - Date.parse(heldAt));
  return {
    key: `held ${key}`,
    isUrgent: true,
    title: `${count} of ${source} (${mode}) ${number === 1 ? 'is' : 'are'} held for ${age}`,
    detail:
      held.map(({ reason }) => reason).join(' · ') +
      (run === null ? '. Load it again and accept it there, or remove it:' : ''),
    ...(run === null
      ? { remedy: held.map((one) => `npx tapeworks segments drop ${one.id}`).join('; ') }
      : { accept: { run, held } }),
  };
}

function runItem(
  { id, verb, mode, state, kind, reason, endedAt, failedTasks, tasks, isInputFault }: RunReport,
  held: ReadonlyMap<string, unknown>,
  nowMs: number,
): AttentionItem[] {
  const age = endedAt === null ? '' : ` ${ageText(nowMs - Date.parse(endedAt))} ago`;
  // Its held loads stand for it.
  if (state === 'failed' && kind === 'doubtful' && held.has(id)) return [];
  // Its sender can mend that, and nobody here.
  if (state === 'failed' && isInputFault) return [];
  if (state === 'failed') {
    const title = `${verb} (${mode}) failed${age}`;
    const detail = reason ?? 'No reason is known';
    return [{ key: `run ${id}`, isUrgent: true, title, detail, retry: [id] }];
  }
  if (state !== 'done' || failedTasks.length === 0) return [];
  const count = tasks.failed === 1 ? '1 task' : `${countText(tasks.failed)} tasks`;
  const byReason = Map.groupBy(failedTasks, (task) => task.reason);
  const shown = [...byReason]
    .map(([reason, some]) => `${some.map(({ title }) => title).join(', ')}: ${reason}`)
    .join(' · ');
  const more = tasks.failed - failedTasks.length;
  return [
    {
      ...{
        key: `tasks ${id}`,
        isUrgent: false,
        title: `${count} of ${verb} (${mode}) failed${age}`,
      },
      detail: more > 0 ? `${shown} · and ${countText(more)} more` : shown,
      retry: [id],
    },
  ];
}

function staleOf({ modes }: OperatorReport): AttentionItem[] {
  return modes.flatMap(({ mode, datasets }) => {
    const stale = datasets.filter(({ isStale }) => isStale);
    if (stale.length === 0) return [];
    const names = stale.map(({ dataset, interval }) => `${dataset} ${interval}`).join(', ');
    return {
      key: `stale ${mode}`,
      isUrgent: false,
      title: `The ${mode} data is stale`,
      detail: `Bars of the last two completed sessions are missing: ${names}`,
    };
  });
}

interface AttentionProps {
  items: readonly AttentionItem[];
  canRetry: boolean;
  /** Key of the item whose request is on its way. */
  busy: string | undefined;
  onRetry: (item: AttentionItem) => void;
  onAccept: (item: AttentionItem) => void;
}

export function Attention({ items, canRetry, busy, onRetry, onAccept }: AttentionProps) {
  const summary = items.length === 0 ? 'nothing' : countText(items.length);
  return html`<${Panel} id="attention" title="Needs attention" summary=${summary}>
    ${
      items.length === 0
        ? html`<p class="up">No held loads, failed jobs or damage.</p>`
        : html`<ul class="attention">${items.map(
            (item) => html`<li key=${item.key} class=${item.isUrgent ? 'urgent' : ''}>
              <div><p class="attention-title">${item.title}</p>
                <p class="attention-detail">${item.detail}</p>
                ${item.remedy && html`<p><code>${item.remedy}</code></p>`}</div>
              ${
                item.retry &&
                html`<button type="button" disabled=${!canRetry || busy !== undefined}
                  aria-label=${`Retry: ${item.title}`} onClick=${() => onRetry(item)}>
                  ${busy === item.key ? 'Retrying' : 'Retry'}</button>`
              }
              ${
                item.accept &&
                html`<button type="button" disabled=${!canRetry || busy !== undefined}
                  aria-label=${`Accept: ${item.title}`} onClick=${() => onAccept(item)}>Accept…</button>`
              }
            </li>`,
          )}</ul>`
    }
  <//>`;
}

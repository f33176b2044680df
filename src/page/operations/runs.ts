/** Runs of sources and of maintenance, with their progress. */

import { useState } from 'preact/hooks';
import type { OperatorReport, RunReport } from '../../base/operator/report.ts';
import { type Children, html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { ageText } from '../parts/times.ts';
import { Panel, type Row, Table } from './table.ts';

const SHOWN = 10;

const UNFINISHED = ['running', 'waiting', 'delayed'];

interface RunsProps {
  jobs: OperatorReport['jobs'];
  runs: readonly RunReport[];
  nowMs: number;
}

export function Runs({ jobs, runs, nowMs }: RunsProps) {
  const [isWhole, setWhole] = useState(false);
  const sorted = [...runs].sort(
    (a, b) =>
      Number(UNFINISHED.includes(b.state)) - Number(UNFINISHED.includes(a.state)) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt),
  );
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN);
  const columns = [
    { title: 'Run' },
    { title: 'State' },
    { title: 'Rows', kind: 'number' },
    { title: 'Age', kind: 'number' },
  ] as const;
  const more = html`<button type="button" onClick=${() => setWhole(!isWhole)}>
    ${isWhole ? 'Show fewer' : `Show all ${runs.length}`}</button>`;
  return html`<${Panel} id="runs" title="Jobs" summary=${summaryOf(jobs)}>
    ${
      runs.length === 0
        ? html`<p class="quiet">No runs in the last 14 days.</p>`
        : html`<${Table} label="Runs" columns=${columns} rows=${shown.map((run) => rowOf(run, nowMs))} />`
    }
    ${runs.length > SHOWN && html`<p>${more}</p>`}
  <//>`;
}

function summaryOf(jobs: RunsProps['jobs']): string {
  if (!jobs) return 'Redis does not respond';
  const { waiting = 0, active = 0, delayed = 0 } = jobs;
  return `${countText(waiting + active + delayed)} jobs and deliveries to be done`;
}

function rowOf(run: RunReport, nowMs: number): Row {
  const { id, verb, mode, accepted, refused, createdAt } = run;
  return {
    key: id,
    cells: [
      html`<span title=${`Run ${id}`}>${verb}</span> <span class="quiet">${mode}</span>`,
      stateOf(run),
      rowsText(accepted, refused),
      ageText(nowMs - Date.parse(createdAt)),
    ],
  };
}

function rowsText(accepted: number | null, refused: number | null): string {
  if (accepted === null) return '';
  return refused ? `${countText(accepted)}, ${countText(refused)} refused` : countText(accepted);
}

function stateOf(run: RunReport): Children {
  const { isInputFault, state, kind, step, tasks, version, endedAt, createdAt } = run;
  if (state === 'failed' && isInputFault) return 'input at fault';
  if (state === 'failed') {
    return html`<span class="down">${kind === 'doubtful' ? 'held' : 'failed'}</span>`;
  }
  if (state === 'done') {
    const tookMs = endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(createdAt);
    const text = `version ${version ?? '–'}, ${secondsText(tookMs)}`;
    if (tasks.failed === 0) return `done, ${text}`;
    return html`<span class="warn">${countText(tasks.failed)} of ${countText(tasks.all)} tasks failed</span>, ${text}`;
  }
  if (step) return html`${step.name} ${countText(step.done)} of ${countText(step.total)}`;
  if (tasks.all === 0) return state;
  const ended = tasks.done + tasks.failed;
  const failed = tasks.failed > 0 ? `, ${countText(tasks.failed)} failed` : '';
  return html`<progress max=${tasks.all} value=${ended} aria-label="Tasks that ended" />
    ${` ${countText(ended)} of ${countText(tasks.all)} tasks${failed}`}${state !== 'running' && `, ${state}`}`;
}

function secondsText(ms: number): string {
  return ms < 90_000 ? `${(ms / 1000).toFixed(1)} s` : ageText(ms);
}

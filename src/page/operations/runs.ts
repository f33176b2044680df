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
    { title: 'Tasks' },
    { title: 'Rows', kind: 'number' },
    { title: 'Refused', kind: 'number' },
    { title: 'Started', kind: 'number' },
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
  const { waiting = 0, active = 0, delayed = 0, dead = 0 } = jobs;
  return `${countText(waiting + delayed)} to be done, ${countText(active)} running, ${countText(dead)} failed`;
}

function rowOf(run: RunReport, nowMs: number): Row {
  const { id, verb, mode, accepted, refused, createdAt } = run;
  return {
    key: id,
    cells: [
      html`${verb} <span class="quiet">${mode} · <code>${id}</code></span>`,
      stateOf(run),
      tasksOf(run),
      accepted === null ? '' : countText(accepted),
      refused === null ? '' : countText(refused),
      `${ageText(nowMs - Date.parse(createdAt))} ago`,
    ],
  };
}

function stateOf({
  state,
  kind,
  step,
  failedTasks,
  version,
  endedAt,
  createdAt,
}: RunReport): Children {
  if (state === 'failed')
    return html`<span class="down">${kind === 'doubtful' ? 'held' : 'failed'}</span>`;
  if (state === 'done') {
    const took =
      endedAt === null ? '' : `, ${secondsText(Date.parse(endedAt) - Date.parse(createdAt))}`;
    const text = `version ${version ?? '–'}${took}`;
    return failedTasks.length > 0
      ? html`<span class="warn">done in part</span>, ${text}`
      : `done, ${text}`;
  }
  if (step) return html`${step.name} ${countText(step.done)} of ${countText(step.total)}`;
  return state;
}

function secondsText(ms: number): string {
  return ms < 90_000 ? `${(ms / 1000).toFixed(1)} s` : ageText(ms);
}

function tasksOf({ state, tasks: { all, done, failed } }: RunReport): Children {
  if (all === 0) return '';
  const text = `${countText(done)} of ${countText(all)}${failed > 0 ? `, ${countText(failed)} failed` : ''}`;
  if (!UNFINISHED.includes(state)) return text;
  return html`<progress max=${all} value=${done + failed} aria-label="Tasks that ended" /> ${text}`;
}

/** Schedules that run, soonest first, and what the others need. */

import type { ScheduleReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { ageText, momentText } from '../parts/times.ts';
import { Panel, Table } from './table.ts';

export function Schedules({
  schedules,
  nowMs,
}: {
  schedules: readonly ScheduleReport[];
  nowMs: number;
}) {
  const running = schedules
    .filter(({ runs }) => runs)
    .sort((a, b) => Date.parse(a.nextAt) - Date.parse(b.nextAt));
  const others = schedules.filter(({ runs }) => !runs);
  return html`<${Panel} id="schedules" title="Schedules" summary=${`${running.length} run, in New York time`}>
    ${running.length === 0 && html`<p class="quiet">Schedules are off: <code>TAPEWORKS_SCHEDULE=off</code></p>`}
    ${
      running.length > 0 &&
      html`<${Table} label="Schedules that run" columns=${[
        { title: 'Schedule' },
        { title: 'When' },
        { title: 'Next' },
      ]} rows=${running.map(({ name, source, when, nextAt }) => ({
        key: `${name} ${source}`,
        cells: [
          html`${name} <span class="quiet">${source}</span>`,
          when,
          `${momentText(nextAt)}, in ${ageText(Date.parse(nextAt) - nowMs)}`,
        ],
      }))} />`
    }
    ${
      others.length > 0 &&
      html`<details><summary>${others.length} do not run</summary>
        <${Table} label="Schedules that do not run" columns=${[
          { title: 'Schedule' },
          { title: 'Source' },
          { title: 'When' },
          { title: 'State', kind: 'long' },
        ]} rows=${others.map(({ name, source, when, state }, i) => ({
          key: `${name} ${source} ${i}`,
          cells: [name, source, when, state],
        }))} /></details>`
    }
  <//>`;
}

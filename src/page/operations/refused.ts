/** Refused rows by reason, of the files that are still kept. */

import type { RefusedReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { ageText } from '../parts/times.ts';
import { More, Panel, Table } from './table.ts';

const COLUMNS = [
  { title: 'Reason', kind: 'long' },
  { title: 'Source' },
  { title: 'Rows', kind: 'number' },
  { title: 'Loads', kind: 'number' },
  { title: 'Last', kind: 'number' },
] as const;

export function Refused({ parts, nowMs }: { parts: readonly RefusedReport[]; nowMs: number }) {
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

/** Free space, sizes of the parts of the data, and the checks of the installation. */

import type { OperatorReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { bytesText, countText } from '../parts/numbers.ts';
import { momentText } from '../parts/times.ts';
import { Panel, Table } from './table.ts';

export function Disk({ disk }: Pick<OperatorReport, 'disk'>) {
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

export function Checks({ checks, integrity }: Pick<OperatorReport, 'checks' | 'integrity'>) {
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

/** Keys with their requests of the last 30 days. */

import type { KeysReport } from '../../base/operator/report.ts';
import { html } from '../parts/html.ts';
import { countText, percentText } from '../parts/numbers.ts';
import { ageText, dayText } from '../parts/times.ts';
import { More, Panel, Table } from './table.ts';

const COLUMNS = [
  { title: 'Key' },
  { title: 'Account' },
  { title: 'State' },
  { title: 'Requests', kind: 'number' },
  { title: 'Errors', kind: 'number' },
  { title: 'Tokens', kind: 'number' },
  { title: 'Last used', kind: 'number' },
] as const;

export function Keys({ keys: { keys, more, days }, nowMs }: { keys: KeysReport; nowMs: number }) {
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  const errors = days.reduce((sum, day) => sum + day.errors, 0);
  const share = calls === 0 ? '' : `, ${percentText((100 * errors) / calls)} errors`;
  return html`<${Panel} id="keys" title="Keys and usage"
      summary=${`${countText(calls)} requests in 30 days${share}`}>
    <${Days} days=${days} />
    ${keys.length === 0 && html`<p class="quiet">There are no keys: <code>npx tapeworks keys create</code></p>`}
    ${
      keys.length > 0 &&
      html`<${Table} label="Keys" columns=${COLUMNS} rows=${keys.map(
        ({ id, prefix, label, account, mode, state, lastUsedAt, ...used }) => ({
          key: id,
          cells: [
            html`${label} <span class="quiet"><code>${prefix}…</code></span>`,
            html`${account} <span class="quiet">${mode}</span>`,
            state === 'active' ? state : html`<span class="warn">${state}</span>`,
            countText(used.calls),
            countText(used.errors),
            countText(used.tokens),
            lastUsedAt === null ? 'never' : `${ageText(nowMs - Date.parse(lastUsedAt))} ago`,
          ],
        }),
      )} />`
    }
    <${More} count=${more} of="keys" />
  <//>`;
}

const HEIGHT = 40;
const STEP = 10;

/** Requests of each day as bars, errors in front. */
function Days({ days }: Pick<KeysReport, 'days'>) {
  const most = Math.max(...days.map(({ calls }) => calls));
  if (most === 0 || days.length === 0) return null;
  const height = (count: number) => Math.max(count > 0 ? 1 : 0, (HEIGHT * count) / most);
  const bar = (kind: string, i: number, count: number) =>
    html`<rect class=${kind} x=${i * STEP + 1} width=${STEP - 2} y=${HEIGHT - height(count)} height=${height(count)} />`;
  const label = `Requests by day in UTC, ${dayText(days[0].day)} to ${dayText(days[days.length - 1].day)}, at most ${countText(most)}`;
  return html`<figure class="usage-days"><svg viewBox=${`0 0 ${days.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none" role="img" aria-label=${label}>
      ${days.map(
        ({ day, calls, errors }, i) => html`<g key=${day}>
        ${bar('calls', i, calls)}${bar('errors', i, errors)}
        <title>${`${dayText(day)}: ${countText(calls)} requests, ${countText(errors)} errors`}</title></g>`,
      )}
    </svg><figcaption class="quiet">${label}</figcaption></figure>`;
}

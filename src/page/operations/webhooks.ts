/** Webhooks of all accounts, and the deliveries that were given up. */

import type { WebhookReport, WebhooksReport } from '../../base/operator/report.ts';
import { type Children, html } from '../parts/html.ts';
import { countText } from '../parts/numbers.ts';
import { ageText } from '../parts/times.ts';
import { More, Panel, Table } from './table.ts';

const COLUMNS = [
  { title: 'Webhook', kind: 'long' },
  { title: 'Account' },
  { title: 'State' },
  { title: 'Delivered', kind: 'number' },
  { title: 'Pending', kind: 'number' },
  { title: 'Failed', kind: 'number' },
  { title: 'Last attempt', kind: 'number' },
  { title: 'Last error', kind: 'long' },
] as const;

const GIVEN_UP = [
  { title: 'Event' },
  { title: 'Webhook' },
  { title: 'Attempts', kind: 'number' },
  { title: 'Last attempt', kind: 'number' },
  { title: 'Error', kind: 'long' },
] as const;

interface WebhooksProps {
  webhooks: WebhooksReport;
  nowMs: number;
}

export function Webhooks({ webhooks: { webhooks, more, givenUp }, nowMs }: WebhooksProps) {
  const ago = (at: string | null) =>
    at === null ? 'never' : `${ageText(nowMs - Date.parse(at))} ago`;
  return html`<${Panel} id="webhooks" title="Webhooks" summary="deliveries of the last 7 days">
    ${webhooks.length === 0 && html`<p class="quiet">No account has a webhook.</p>`}
    ${
      webhooks.length > 0 &&
      html`<${Table} label="Webhooks of all accounts" columns=${COLUMNS} rows=${webhooks.map(
        (one) => ({
          key: one.id,
          cells: [
            html`${one.url} <span class="quiet">${one.events.replaceAll(' ', ', ')}</span>`,
            html`${one.account} <span class="quiet">${one.mode}</span>`,
            stateOf(one),
            countText(one.delivered),
            countText(one.pending),
            one.failed > 0 ? html`<span class="down">${countText(one.failed)}</span>` : '0',
            ago(one.lastAttemptAt),
            one.error ?? '',
          ],
        }),
      )} />`
    }
    <${More} count=${more} of="webhooks" />
    ${
      givenUp.length > 0 &&
      html`<details><summary>${countText(givenUp.length)} newest deliveries that were given up</summary>
        <${Table} label="Deliveries that were given up" columns=${GIVEN_UP} rows=${givenUp.map(
          (one) => ({
            key: `${one.eventId} ${one.webhookId}`,
            cells: [
              html`${one.type} <span class="quiet"><code>${one.eventId}</code></span>`,
              html`<code>${one.webhookId}</code>`,
              countText(one.attempts),
              ago(one.attemptedAt),
              one.error ?? '',
            ],
          }),
        )} /></details>`
    }
  <//>`;
}

function stateOf({ disabledAt, disabledReason, failed }: WebhookReport): Children {
  if (disabledAt !== null) return html`<span class="down" title=${disabledReason}>disabled</span>`;
  return failed > 0 ? html`<span class="warn">failing</span>` : 'active';
}

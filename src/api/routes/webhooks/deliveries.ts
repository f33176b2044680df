/** What became of a webhook's events, and a test of it. */

import { randomBytes } from 'node:crypto';
import type { MarketEvent } from '../../../store/sqlite/webhooks/event-record.ts';
import { noFields, optionalBody } from '../../http/body.ts';
import { checkedQuery, noParameters } from '../../http/query.ts';
import { jsonAnswer, NO_STORE } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { listAnswer, listParameters } from '../../responses/list.ts';
import { WEBHOOK_CONTRACTS } from './contracts.ts';
import { noWebhook } from './route.ts';

const EVENT_ID_BYTES = 16;

function testEvent(webhookId: string, occurredAtMs: number): MarketEvent {
  const id = `evt_${randomBytes(EVENT_ID_BYTES).toString('hex')}`;
  const data = { webhookId, message: 'Asked for by POST /svc/webhooks/{id}/test' };
  return { id, type: 'webhook.test', occurredAtMs, symbols: undefined, data, webhookId };
}

export function deliveryRoutes({ accounts, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<number>(cursorSecret, now);

  function checkWebhook(exchange: AdmittedExchange): void {
    const { key, params } = exchange;
    if (!accounts.findWebhook(key.account, key.mode, params.id)) noWebhook(exchange);
  }

  return [
    {
      template: '/svc/webhooks/{id}/deliveries',
      contract: WEBHOOK_CONTRACTS.deliveries,
      answer(exchange) {
        const { limit, cursor } = checkedQuery(listParameters, exchange.query);
        checkWebhook(exchange);
        const { key, params } = exchange;
        const question = `deliveries ${params.id}`;
        const walk = { account: key.account, mode: key.mode, question };
        const beforeSeq = cursor === undefined ? undefined : cursors.open(cursor, walk);
        const part = accounts.listDeliveryPart(params.id, { beforeSeq, limit });
        return listAnswer(
          part,
          (delivery) => delivery,
          (lastSeq) => cursors.seal(walk, lastSeq),
        );
      },
    },
    {
      method: 'POST',
      template: '/svc/webhooks/{id}/test',
      contract: WEBHOOK_CONTRACTS.test,
      async answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        await optionalBody(exchange, noFields);
        checkWebhook(exchange);
        const { key, params } = exchange;
        const event = testEvent(params.id, now());
        accounts.addEvents(key.mode, [event]);
        const delivery = accounts.findDelivery(params.id, event.id) ?? noWebhook(exchange);
        return jsonAnswer(202, delivery, NO_STORE);
      },
    },
  ];
}

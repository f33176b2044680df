/** `/svc/webhooks/{id}/deliveries` and `/svc/webhooks/{id}/test`. */

import { randomBytes } from '../../../base/world/chance.ts';
import type { Accounts } from '../../../store/accounts/records/contract.ts';
import type { MarketEvent } from '../../../store/accounts/webhooks/event-record.ts';
import { deliverySchema } from '../../../store/accounts/webhooks/webhook-record.ts';
import type { Route } from '../../contract/route.ts';
import { noFields, optionalBody } from '../../http/body.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse, onlyPage } from '../../responses/pages.ts';
import { noWebhook, reading, UNKNOWN, webhookPath, writing } from './route.ts';
import { DELIVERY, deliveryPageSchema, WEBHOOK, webhookTestExample } from './schema.ts';

const EVENT_ID_BYTES = 16;

function testEvent(webhookId: string, occurredAtMs: number): MarketEvent {
  const id = `evt_${randomBytes(EVENT_ID_BYTES).toString('hex')}`;
  const data = { webhookId, message: 'Asked for by POST /svc/webhooks/{id}/test' };
  return { id, type: 'webhook.test', occurredAtMs, symbols: undefined, data, webhookId };
}

async function checkWebhook(context: AdmittedContext, accounts: Accounts): Promise<void> {
  const { key, params } = context;
  if (!(await accounts.findWebhook(key.account, key.mode, params.id))) noWebhook(context);
}

const listDeliveries: Route = {
  template: '/svc/webhooks/{id}/deliveries',
  access: reading,
  contract: {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'List webhook deliveries',
    description:
      'Returns the events of the last week for this webhook and their status, newest first.',
    path: webhookPath,
    query: listParameters,
    response: deliveryPageSchema,
    errors: UNKNOWN,
    examples: [
      {
        title: 'Deliveries of a webhook',
        path: { id: WEBHOOK.id },
        response: onlyPage([DELIVERY]),
      },
    ],
  },
  respond(context, sources) {
    const { accounts } = sources;
    const { id } = context.params;
    return listResponse(sources, context, `deliveries ${id}`, async (place) => {
      await checkWebhook(context, accounts);
      return accounts.listDeliveryPart(id, place);
    });
  },
};

const testWebhook: Route = {
  method: 'POST',
  template: '/svc/webhooks/{id}/test',
  access: writing,
  contract: {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends a `webhook.test` event to this webhook only, whatever it subscribed to. An ' +
      'inactive webhook that accepts the event becomes active again. `deliveries` shows the ' +
      'result. The body may be empty.',
    path: webhookPath,
    body: noFields,
    status: 202,
    response: deliverySchema,
    errors: UNKNOWN,
    examples: [webhookTestExample],
  },
  async respond(context, { accounts, now }) {
    await optionalBody(context, noFields);
    await checkWebhook(context, accounts);
    const { key, params } = context;
    const event = testEvent(params.id, now());
    await accounts.addEvents(key.mode, [event]);
    const delivery = (await accounts.findDelivery(params.id, event.id)) ?? noWebhook(context);
    return jsonResponse(202, delivery, NO_STORE);
  },
};

export const deliveryRoutes = [listDeliveries, testWebhook];

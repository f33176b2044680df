/** What the API description says of webhooks. */

import { limits } from '../../../base/limits/limits.ts';
import {
  deletedWebhookExample,
  deliveriesExample,
  newWebhookExample,
  rotatedSecretExample,
  webhookExample,
  webhooksExample,
  webhookTestExample,
} from '../../docs/examples/webhooks.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { noFields } from '../../http/body.ts';
import { webhookPath } from '../../http/path-fields.ts';
import { noParameters } from '../../http/query.ts';
import { listParameters } from '../../responses/list.ts';
import { newWebhookBody } from './body.ts';
import {
  createdWebhookSchema,
  deliveryPageSchema,
  deliverySchema,
  webhookPageSchema,
  webhookSchema,
} from './schemas.ts';

const MILLIS_PER_HOUR = 3_600_000;
const OLD_SECRET_HOURS = limits.webhook.oldSecretMs / MILLIS_PER_HOUR;

const UNKNOWN = { 404: 'No webhook "wh_5f0c6a1b2c3d4e5f60718293a4b5c6" in sandbox mode' };

export const WEBHOOK_CONTRACTS = {
  list: {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Returns the webhooks of your account in the mode of the key, newest first.',
    query: listParameters,
    answer: webhookPageSchema,
    examples: [webhooksExample],
  },
  create: {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'From now on the server sends every event of these types (and of these symbols, if you ' +
      'name any) to the address, as in the Standard Webhooks specification. The response has ' +
      'the signing secret, which is never shown again. The address must be https and public; ' +
      'the server checks it again at each connection.',
    query: noParameters,
    body: newWebhookBody,
    isIdempotent: true,
    status: 201,
    answer: createdWebhookSchema,
    errors: {
      400: 'url must not lead to this machine or a private network, got "https://127.0.0.1"',
      403: 'The account’s plan lacks the scope "news:read" that news.published needs',
      503: 'webhook.key in the data directory cannot be read (EACCES)',
    },
    examples: [newWebhookExample],
  },
  get: {
    operationId: 'getWebhook',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    description: 'Shows whether it receives events and, if not, why.',
    path: webhookPath,
    query: noParameters,
    answer: webhookSchema,
    errors: UNKNOWN,
    examples: [webhookExample],
  },
  delete: {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Also deletes its deliveries; events not sent yet are never sent.',
    path: webhookPath,
    query: noParameters,
    status: 204,
    errors: UNKNOWN,
    examples: [deletedWebhookExample],
  },
  rotateSecret: {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate a webhook secret',
    description:
      `The new secret signs requests at once. For ${OLD_SECRET_HOURS} hours the old one signs ` +
      'them too, so that receivers can switch. The response has the new secret, which is never ' +
      'shown again. The body may be empty.',
    path: webhookPath,
    query: noParameters,
    body: noFields,
    isIdempotent: true,
    answer: createdWebhookSchema,
    errors: { ...UNKNOWN, 503: 'webhook.key in the data directory cannot be read (EACCES)' },
    examples: [rotatedSecretExample],
  },
  deliveries: {
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'List webhook deliveries',
    description:
      'Returns the events of the last week for this webhook and their status, newest first.',
    path: webhookPath,
    query: listParameters,
    answer: deliveryPageSchema,
    errors: UNKNOWN,
    examples: [deliveriesExample],
  },
  test: {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends a `webhook.test` event to this webhook only, whatever it subscribed to. An ' +
      'inactive webhook that accepts the event becomes active again. `deliveries` shows the ' +
      'result. The body may be empty.',
    path: webhookPath,
    query: noParameters,
    body: noFields,
    status: 202,
    answer: deliverySchema,
    errors: UNKNOWN,
    examples: [webhookTestExample],
  },
} as const satisfies Record<string, RouteContract>;

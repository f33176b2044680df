/** What the API description says of webhooks. */

import { limits } from '../limits.ts';
import { noFields } from './body.ts';
import {
  deletedWebhookExample,
  deliveriesExample,
  newWebhookExample,
  rotatedSecretExample,
  webhookExample,
  webhooksExample,
  webhookTestExample,
} from './examples/webhooks.ts';
import { listParameters } from './list-answer.ts';
import type { RouteContract } from './openapi/contract.ts';
import { webhookPath } from './path-fields.ts';
import { noParameters } from './query.ts';
import { newWebhookBody } from './webhook-body.ts';
import {
  createdWebhookSchema,
  deliveryPageSchema,
  deliverySchema,
  webhookPageSchema,
  webhookSchema,
} from './webhook-schemas.ts';

const MILLIS_PER_HOUR = 3_600_000;
const OLD_SECRET_HOURS = limits.webhook.oldSecretMs / MILLIS_PER_HOUR;

const UNKNOWN = { 404: 'No webhook "wh_5f0c6a1b2c3d4e5f60718293a4b5c6" in sandbox mode' };

export const WEBHOOK_CONTRACTS = {
  list: {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'Your webhooks',
    description: 'Webhooks of your account in the mode of the key, newest first.',
    query: listParameters,
    answer: webhookPageSchema,
    examples: [webhooksExample],
  },
  create: {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Get events',
    description:
      'Every event of these types, and of these symbols where any are named, is sent to the ' +
      'address as the Standard Webhooks specification says, from now on. The secret that ' +
      'requests are signed with is in this answer and never shown again. The address must be ' +
      'https and public; each connection is checked again.',
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
    summary: 'One webhook',
    description: 'Whether it gets events, and where it does not, why.',
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
    description: 'With its deliveries: what has not been sent by now never is.',
    path: webhookPath,
    query: noParameters,
    status: 204,
    errors: UNKNOWN,
    examples: [deletedWebhookExample],
  },
  rotateSecret: {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'A new secret',
    description:
      `Requests are signed with the new secret at once, and for ${OLD_SECRET_HOURS} hours ` +
      'with the one before too, so that receivers can change over. The new one is in this ' +
      'answer and never shown again. The body may be empty.',
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
    summary: 'What became of its events',
    description: 'Events of the last week that the webhook gets, newest first.',
    path: webhookPath,
    query: listParameters,
    answer: deliveryPageSchema,
    errors: UNKNOWN,
    examples: [deliveriesExample],
  },
  test: {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test',
    description:
      'Sends a `webhook.test` event to this webhook alone, whatever it has subscribed to and ' +
      'also where it is not active: one that takes it is active again. `deliveries` tells ' +
      'what became of it. The body may be empty.',
    path: webhookPath,
    query: noParameters,
    body: noFields,
    status: 202,
    answer: deliverySchema,
    errors: UNKNOWN,
    examples: [webhookTestExample],
  },
} as const satisfies Record<string, RouteContract>;

/** Webhook events in the API description: requests that a receiver implements. */

import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../store/sqlite/webhooks/event-record.ts';
import { MEDIA_TYPES } from '../../http/format.ts';
import type { EventOperation, JsonSchema, Parameter } from './document-types.ts';
import { eventExample, pascalCase } from './event-schemas.ts';

/** Headers, named by the Standard Webhooks specification. */
export const EVENT_HEADERS: Record<string, Parameter> = {
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's `id`. An event may arrive more than once.",
    schema: { type: 'string' },
    example: 'evt_0b6e3a9d41c7f28e5d90a4b1c6372f18',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Unix seconds of the attempt.',
    schema: { type: 'integer' },
    example: 1795005060,
  },
  WebhookSignature: {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` under the secret; two of them, ' +
      'with a space between, for 24 hours after a rotation.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
};

const HEADERS = Object.keys(EVENT_HEADERS).map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** @param schemas Schemas of bodies, by type. */
export function eventOperations(
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, { post: EventOperation }> {
  const operations = EVENT_TYPE_NAMES.map((type) => {
    const { meaning } = EVENT_TYPES[type];
    const examples = { example1: { summary: meaning, value: eventExample(type) } };
    const operation: EventOperation = {
      operationId: `on${pascalCase(type)}`,
      tags: ['Webhooks'],
      summary: `${meaning[0].toUpperCase()}${meaning.slice(1)}`,
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: { [MEDIA_TYPES.json]: { schema: schemas[type], examples } },
      },
      responses: {
        '2XX': { description: 'Delivered, if the response comes within 20 seconds.' },
        410: { description: 'The webhook is disabled.' },
        default: { description: 'Tried again later, ten times in three days.' },
      },
    };
    return [type, { post: operation }] as const;
  });
  return Object.fromEntries(operations);
}

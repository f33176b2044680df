/** `/svc/webhooks`: where the account wants its events sent. Always of the caller's mode. */

import { HttpError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { Webhook, WebhookWithSecret } from '../../../store/sqlite/webhooks/webhook-record.ts';
import { createIdempotent } from '../../access/idempotent.ts';
import { noFields, optionalBody } from '../../http/body.ts';
import { checkedQuery, noParameters } from '../../http/query.ts';
import { type Answer, createAnswer, jsonAnswer, NO_STORE } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { createCursors } from '../../responses/cursor.ts';
import { listAnswer, listParameters } from '../../responses/list.ts';
import { newWebhookBody, webhookFromBody } from './body.ts';
import { WEBHOOK_CONTRACTS } from './contracts.ts';

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

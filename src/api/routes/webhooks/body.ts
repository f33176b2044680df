/** Body of a new webhook. */

import { z } from 'zod';
import { checkedWebhookUrl } from '../../../base/config/webhook-url.ts';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { canonicalSymbol } from '../../../base/symbols.ts';
import type { Accounts } from '../../../store/sqlite/accounts.ts';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
} from '../../../store/sqlite/webhooks/event-record.ts';
import type { NewWebhook, WebhookScreener } from '../../../store/sqlite/webhooks/webhook-record.ts';
import { checkedQuery } from '../../http/query.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { screenerParameters, screenerQuery } from '../screener/query.ts';

const { urlCharsMax, descriptionCharsMax, symbolsMax, screenerCharsMax } = limits.webhook;

const URL_RULE = `must be an https address of at most ${urlCharsMax} characters`;
const EVENTS_RULE = `must be a list of 1 to ${EVENT_TYPE_NAMES.length} types of events`;
const SYMBOLS_RULE = `must be a list of 1 to ${symbolsMax} symbols`;
const DESCRIPTION_RULE = `must be a text of at most ${descriptionCharsMax} characters, none of them a control character`;
const SCREENER_RULE = `must be the filters of a screener as query text, of at most ${screenerCharsMax} characters`;

export const newWebhookBody = z
  .strictObject({
    url: z
      .string({ error: URL_RULE })
      .min(1, { error: URL_RULE })
      .max(urlCharsMax, { error: URL_RULE })
      .meta({ format: 'uri' })
      .describe('Address that events are sent to: https and public.'),
    events: z
      .array(z.enum(EVENT_TYPE_NAMES, { error: `must be one of ${EVENT_TYPE_NAMES.join(', ')}` }), {
        error: EVENTS_RULE,
      })
      .min(1, { error: EVENTS_RULE })
      .max(EVENT_TYPE_NAMES.length, { error: EVENTS_RULE })
      .describe('Types of events to send.'),
    symbols: z
      .array(z.string({ error: 'must be a symbol' }).min(1, { error: 'must be a symbol' }), {
        error: SYMBOLS_RULE,
      })
      .min(1, { error: SYMBOLS_RULE })
      .max(symbolsMax, { error: SYMBOLS_RULE })
      .optional()
      .describe('Send only events about these symbols; default: all.'),
    description: z
      .string({ error: DESCRIPTION_RULE })
      .max(descriptionCharsMax, { error: DESCRIPTION_RULE })
      .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), { error: DESCRIPTION_RULE })
      .optional()
      .describe('A name for people to read.'),
    screener: z
      .string({ error: SCREENER_RULE })
      .min(1, { error: SCREENER_RULE })
      .max(screenerCharsMax, { error: SCREENER_RULE })
      .optional()
      .describe(
        'Filters as in the query of `/svc/screener`. Required with the event `screener.matched`, ' +
          'forbidden without it.',
      ),
  })
  .meta({ id: 'NewWebhook' });

export type NewWebhookBody = z.infer<typeof newWebhookBody>;

/** Parameters of the screener without those that only shape a page. */
const filterParameters = screenerParameters.omit({
  sort: true,
  order: true,
  limit: true,
  cursor: true,
  format: true,
});

/**
 * Creates the webhook of a body.
 *
 * @throws {ParameterError} Names the field that breaks a rule.
 * @throws {HttpError} 403: the account's plan lacks the scope of an event.
 */
export function webhookFromBody(
  { key: { account, mode } }: AdmittedContext,
  body: NewWebhookBody,
  { accounts, webhookPrivate }: { accounts: Accounts; webhookPrivate: boolean },
): NewWebhook {
  const { url, description } = body;
  checkedWebhookUrl(url, webhookPrivate);
  const events = [...new Set(body.events)];
  const symbols = body.symbols && canonicalSymbols(body.symbols);
  const screener = screenerOf(body);
  checkPlan(accounts.findAccount(account)?.plan.scopes, events);
  return { account, mode, url, events, symbols, description, screener };
}

/** Returns the distinct canonical symbols in the given order. */
function canonicalSymbols(texts: readonly string[]): string[] {
  const symbols = texts.map((text, index) => {
    try {
      return canonicalSymbol(text);
    } catch (cause) {
      const field = `symbols.${index}`;
      throw new ParameterError(field, `${field} must be a symbol, got ${quoted(text)}`, { cause });
    }
  });
  return [...new Set(symbols)];
}

function screenerOf({ events, screener: query }: NewWebhookBody): WebhookScreener | undefined {
  const isRequired = events.includes('screener.matched');
  if (isRequired !== (query !== undefined)) {
    const rule = isRequired ? 'is required with' : 'must not be set without';
    throw new ParameterError('screener', `screener ${rule} the event screener.matched`);
  }
  if (query === undefined) return undefined;
  try {
    checkedQuery(filterParameters, query);
    const { ranges, texts, activeSinceDay } = screenerQuery(query, undefined);
    return { query, conditions: { ranges, texts, activeSinceDay } };
  } catch (cause) {
    if (!(cause instanceof ParameterError)) throw cause;
    throw new ParameterError('screener', `screener is invalid: ${cause.message}`, { cause });
  }
}

/** Checks the scopes of events against the account's plan: a webhook outlives its key. */
function checkPlan(scopes: readonly string[] | null | undefined, events: EventType[]): void {
  if (!scopes) return;
  for (const type of events) {
    const { scope } = EVENT_TYPES[type];
    if (scope === undefined || scopes.includes(scope)) continue;
    throw new HttpError(403, `The account’s plan lacks the scope "${scope}" that ${type} needs`);
  }
}

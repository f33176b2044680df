/** Body of a new webhook. */

import { z } from 'zod';
import { checkedWebhookUrl } from '../../../base/config/webhook-url.ts';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { isVisible, quoted } from '../../../base/quoted.ts';
import type { StoredRecords } from '../../../store/accounts/records/contract.ts';
import type { SavedScreen } from '../../../store/accounts/screens/screen-record.ts';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
} from '../../../store/accounts/webhooks/event-record.ts';
import type {
  NewWebhook,
  WebhookScreener,
} from '../../../store/accounts/webhooks/webhook-record.ts';
import { checkedBody } from '../../http/body.ts';
import { bodySymbolsField, canonicalSymbols } from '../../http/body-symbols.ts';
import type { AdmittedContext, RequestContext } from '../../http/request-context.ts';
import type { Screens } from '../../screens/client.ts';
import { checkExpressions, checkedSavedQuery } from '../screener/saved-query.ts';

const { urlCharsMax, descriptionCharsMax, symbolsMax, screenerCharsMax } = limits.webhook;

const URL_RULE = `must be an https address of at most ${urlCharsMax} characters`;
const EVENTS_RULE = `must be a list of 1 to ${EVENT_TYPE_NAMES.length} types of events`;
const DESCRIPTION_RULE = `must be a text of at most ${descriptionCharsMax} characters, none of them a control character`;
const SCREENER_RULE = `must be the filters of a screener as query text, of at most ${screenerCharsMax} characters`;
const SCREEN_RULE = 'must be the id of a saved screen';

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
    symbols: bodySymbolsField(symbolsMax)
      .optional()
      .describe('Send only events about these symbols; default: all.'),
    description: z
      .string({ error: DESCRIPTION_RULE })
      .max(descriptionCharsMax, { error: DESCRIPTION_RULE })
      .refine((text) => isVisible(text) && text.isWellFormed(), { error: DESCRIPTION_RULE })
      .optional()
      .describe('A name for people to read.'),
    screener: z
      .string({ error: SCREENER_RULE })
      .min(1, { error: SCREENER_RULE })
      .max(screenerCharsMax, { error: SCREENER_RULE })
      .optional()
      .describe(
        'Filters and `where` as in the query of `/svc/screener`. The event `screener.matched` needs this or ' +
          '`screen`; without that event both are forbidden.',
      ),
    screen: z
      .string({ error: SCREEN_RULE })
      .min(1, { error: SCREEN_RULE })
      .optional()
      .describe('The `id` of a saved screen, instead of `screener`. The webhook keeps its query.'),
  })
  .meta({ id: 'NewWebhook' });

export type NewWebhookBody = z.infer<typeof newWebhookBody>;

/**
 * Creates the webhook of a body.
 *
 * @throws {ParameterError} Names the field that breaks a rule.
 * @throws {HttpError} 403: the account's plan lacks the scope of an event.
 */
export async function webhookFromBody(
  { key: { account, mode } }: AdmittedContext,
  body: NewWebhookBody,
  { accounts, webhookPrivate }: { accounts: StoredRecords; webhookPrivate: boolean },
): Promise<NewWebhook> {
  const { url, description } = body;
  checkedWebhookUrl(url, webhookPrivate);
  const events = [...new Set(body.events)];
  const symbols = body.symbols && canonicalSymbols(body.symbols);
  const { screen } = body;
  const saved = screen === undefined ? undefined : await accounts.findScreen(account, mode, screen);
  const screener = screenerOf(body, saved);
  checkPlan((await accounts.findAccount(account))?.plan.scopes, events);
  return { account, mode, url, events, symbols, description, screener, screen };
}

/** @param saved The saved screen that the body names; undefined: none, or an unknown one. */
function screenerOf(
  { events, screener: query, screen }: NewWebhookBody,
  saved: SavedScreen | undefined,
): WebhookScreener | undefined {
  const isRequired = events.includes('screener.matched');
  if (query !== undefined && screen !== undefined) {
    throw new ParameterError('screen', 'screen must not be set with screener');
  }
  const field = screen === undefined ? 'screener' : 'screen';
  if (isRequired !== ((query ?? screen) !== undefined)) {
    const rule = isRequired ? 'or screen is required with' : 'must not be set without';
    throw new ParameterError(field, `${field} ${rule} the event screener.matched`);
  }
  if (screen !== undefined && !saved) {
    throw new ParameterError('screen', `screen ${SCREEN_RULE}, got ${quoted(screen)}`);
  }
  if (saved) return webhookScreener('screen', saved.query, 'screen');
  return query === undefined ? undefined : webhookScreener('screener', query, 'webhook');
}

/** Returns the screener that a publish evaluates. @throws {ParameterError} `field` */
export function webhookScreener(
  field: string,
  query: string,
  kind: 'screen' | 'webhook',
): WebhookScreener {
  const request = checkedSavedQuery(field, query, kind);
  const { filters, symbols, screen } = request;
  return {
    query,
    filters,
    where: screen?.texts.where,
    symbols,
  };
}

/** Reads a body, and checks the expressions of its screener. @throws {ParameterError} `screener` */
export async function readWebhookBody(
  context: RequestContext,
  schema: z.ZodType<NewWebhookBody>,
  screens: Screens,
): Promise<NewWebhookBody> {
  const body = await checkedBody(context, schema);
  if (body.screener !== undefined) {
    await checkExpressions('screener', body.screener, 'webhook', screens);
  }
  return body;
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

/** `/svc/stream`: events as they are published, on an open connection. */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { Scope } from '../../../store/accounts/keys/scopes.ts';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventType,
} from '../../../store/accounts/webhooks/event-record.ts';
import type { NewStream } from '../../../store/accounts/webhooks/stream-store.ts';
import type { Route, RouteSources } from '../../contract/route.ts';
import { checkedQuery } from '../../http/query.ts';
import { choicesField, listMeta, symbolsField, textField } from '../../http/query-fields.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { symbolsFromList } from '../../responses/symbols.ts';
import { webhookScreener } from '../webhooks/body.ts';

const { perKeyMax, screensMax, leaseMs, renewMs } = limits.stream;
const { symbolsMax } = limits.webhook;

/** A test event goes to the webhook that requested it. */
const STREAMED = EVENT_TYPE_NAMES.filter((type) => type !== 'webhook.test');

const SCREENS_RULE = `must be a comma-separated list of 1 to ${screensMax} ids of saved screens`;

const parameters = z.strictObject({
  events: choicesField(STREAMED).describe(
    'Types of events. Each needs the scope of its data; the table of events lists the scopes.',
  ),
  symbols: symbolsField()
    .optional()
    .describe(`Only events about these symbols, at most ${symbolsMax}; default: all.`),
  screens: textField(SCREENS_RULE)
    .meta(listMeta({ type: 'string' }, screensMax))
    .transform((text) => [...new Set(text.split(','))])
    .refine((ids) => ids.length <= screensMax, { error: SCREENS_RULE })
    .optional()
    .describe('Saved screens whose new matches `screener.matched` reports; required with it.'),
});

/** Returns the scopes of the types. @throws {HttpError} 403: the key lacks one. */
function checkedScopes({ key }: AdmittedContext, types: readonly EventType[]): Scope[] {
  return types.flatMap((type) => {
    const { scope } = EVENT_TYPES[type];
    if (scope === undefined) return [];
    if (key.scopes.has(scope)) return [scope];
    throw new HttpError(403, `API key lacks the scope "${scope}" that ${type} needs`);
  });
}

type Wanted = { events: readonly EventType[]; symbols?: string[]; screens?: string[] };

/** @throws {ParameterError} the type and the list of screens must be set together. */
function requireScreens({ events, screens }: Wanted): void {
  const hasMatches = events.includes('screener.matched');
  if (hasMatches === (screens !== undefined)) return;
  const rule = hasMatches ? 'is required with' : 'must not be set without';
  throw new ParameterError('screens', `screens ${rule} the event screener.matched`);
}

/** Returns the rows that receive the events. @throws {ParameterError} a screen does not exist. */
async function rowsOf(
  { key: { account, mode } }: AdmittedContext,
  { events, symbols, screens = [] }: Wanted,
  { accounts }: RouteSources,
): Promise<NewStream[]> {
  const matches: NewStream[] = [];
  for (const screen of screens) {
    const saved = await accounts.findScreen(account, mode, screen);
    if (!saved)
      throw new ParameterError('screens', `screens ${SCREENS_RULE}, got ${quoted(screen)}`);
    const screener = webhookScreener('screens', saved.query, 'screen');
    matches.push({ account, mode, events: ['screener.matched'], symbols, screener, screen });
  }
  const others = events.filter((type) => type !== 'screener.matched');
  return others.length === 0 ? matches : [{ account, mode, events: others, symbols }, ...matches];
}

/** A server renews streams now and then, so that the last part of a lease may be used up. */
const MINUTES = (leaseMs - renewMs) / 60_000;

const streamEvents: Route = {
  template: '/svc/stream',
  access: { scope: 'webhooks:read', tokens: 1 },
  contract: {
    operationId: 'streamEvents',
    tag: 'Webhooks',
    summary: 'Get events on an open connection',
    description:
      'Sends events as server-sent events while the connection is open, a second after the ' +
      'publish, with the ids and bodies that webhooks get. `data.ready` says which datasets a ' +
      'publish has changed.\n\n' +
      `A client that reconnects with \`Last-Event-ID\` within ${MINUTES} minutes misses nothing. ` +
      'If its id is older, or the parameters differ, the stream starts with `stream.reset`: ' +
      'request the data again. Browsers use `fetch`, since `EventSource` sends no key. A key may ' +
      `have ${perKeyMax} open streams. A stream costs one request, however long it lasts.`,
    query: parameters,
    errors: {
      403: 'API key lacks the scope "quotes:read" that quote.updated needs',
      429: `The API key has ${perKeyMax} open streams, as many as it may; close one first`,
      503: 'Too many streams are open',
    },
    eventStream:
      'retry: 2000\nid: at_17_3\n\nevent: data.ready\nid: evt_0b6e3a9d41c7f28e5d90a4b1c6372f18\n' +
      'data: {"id":"evt_0b6e3a9d41c7f28e5d90a4b1c6372f18","type":"data.ready",' +
      '"timestamp":"2026-11-18T12:31:00.000Z",' +
      '"data":{"mode":"sandbox","version":7,"datasets":["candles"]}}\n\n',
    examples: [
      { title: 'Publishes and quotes', query: { events: 'data.ready,quote.updated' } },
      { title: 'News of a symbol', query: { events: 'news.published', symbols: 'AAPL' } },
    ],
  },
  async respond(context, sources) {
    const query = checkedQuery(parameters, context.query);
    // The field's values are in lower case, as the names of all types are.
    const events = query.events as EventType[];
    const symbols =
      query.symbols === undefined ? undefined : symbolsFromList(query.symbols, symbolsMax);
    const scopes = checkedScopes(context, events);
    const asked: Wanted = { events, symbols, screens: query.screens };
    requireScreens(asked);
    const rows = () => rowsOf(context, asked, sources);
    const wanted = { events, symbols: symbols ?? null, screens: query.screens ?? null };
    return sources.streams.open(context, { rows, scopes, wanted });
  },
};

export const streamRoutes = [streamEvents];

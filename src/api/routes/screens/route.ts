/** `/svc/screens`: saved screens of the caller's account, in the mode of the caller's key. */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import type { SavedScreen } from '../../../store/accounts/screens/screen-record.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route, RouteSources } from '../../contract/route.ts';
import { checkedBody, labelField } from '../../http/body.ts';
import { chosenFormat, FORMATS } from '../../http/format.ts';
import { checkedQuery } from '../../http/query.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { createResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { firstPage, listParameters, listResponse, onlyPage } from '../../responses/pages.ts';
import { screenerResponse } from '../screener/respond.ts';
import { parsedScreenerQuery, SCREENER_HEADERS } from '../screener/route.ts';
import { checkExpressions, rowsParameters } from '../screener/saved-query.ts';
import { SCREENER_EXAMPLE, screenerErrorSchema, screenerPageSchema } from '../screener/schema.ts';
import { REQUESTED, SCREEN, screenPageSchema, screenSchema, UNKNOWN_SCREEN } from './schema.ts';

/** Body of a new saved screen. */
const { queryCharsMax } = limits.savedScreen;

const QUERY_RULE = `must be the query of a screener as text, of 1 to ${queryCharsMax} characters`;

const newScreenBody = z
  .strictObject({
    name: labelField,
    query: z
      .string({ error: QUERY_RULE })
      .min(1, { error: QUERY_RULE })
      .max(queryCharsMax, { error: QUERY_RULE })
      .describe(
        'Parameters as in the query of `/svc/screener`, without those that only shape a response: ' +
          '`limit`, `cursor`, `format`, `as_of` and `explain`.',
      ),
  })
  .meta({ id: 'NewScreen' });

const reading: RouteAccess = { scope: 'fundamentals:read', tokens: 1, beyondQuota: true };
const writing: RouteAccess = { ...reading, scope: 'screens:write' };

const screenPath = z.strictObject({
  id: z.string().min(1).describe('The `id` of a saved screen.'),
});

const UNKNOWN = { 404: UNKNOWN_SCREEN };

/** @throws {HttpError} 404: it does not exist, or belongs to another account or mode. */
async function ownScreen(
  { key, params }: AdmittedContext,
  { accounts }: RouteSources,
): Promise<SavedScreen> {
  const screen = await accounts.findScreen(key.account, key.mode, params.id);
  if (screen) return screen;
  throw new HttpError(404, `No saved screen ${quoted(params.id)} in ${key.mode} mode`);
}

const listScreens: Route = {
  template: '/svc/screens',
  access: reading,
  contract: {
    operationId: 'listScreens',
    tag: 'Screener',
    summary: 'List saved screens',
    description: 'Returns the saved screens of your account in the mode of the key, newest first.',
    query: listParameters,
    response: screenPageSchema,
    examples: [{ title: 'Your saved screens', response: onlyPage([SCREEN]) }],
  },
  respond(context, sources) {
    const { account, mode } = context.key;
    return listResponse(sources, context, 'screens', (place) =>
      sources.accounts.listScreenPart(account, mode, place),
    );
  },
};

const createScreen: Route = {
  method: 'POST',
  template: '/svc/screens',
  access: writing,
  contract: {
    operationId: 'createScreen',
    tag: 'Screener',
    summary: 'Create a saved screen',
    description:
      'Saves a query of `/svc/screener` under a name. The query is checked as there. A saved ' +
      'screen never changes: to change it, save another and delete this one. An account can have ' +
      '200 saved screens in each mode.',
    body: newScreenBody,
    isIdempotent: true,
    status: 201,
    response: screenSchema,
    errors: { 400: 'query is invalid: price_min must be a number like 2500 or -0.5, got "x"' },
    errorDetails: { 400: { schema: screenerErrorSchema, example: {} } },
    examples: [{ title: 'Save a screen', body: REQUESTED, response: SCREEN }],
  },
  respond(context, { once, screens }) {
    const { account, mode } = context.key;
    return once(
      context,
      newScreenBody,
      async (body, accounts) => {
        const screen = await accounts.createScreen({ account, mode, ...body });
        return jsonResponse(201, screen, NO_STORE);
      },
      async (request, schema) => {
        const body = await checkedBody(request, schema);
        await checkExpressions('query', body.query, 'screen', screens);
        return body;
      },
    );
  },
};

const getScreen: Route = {
  template: '/svc/screens/{id}',
  access: reading,
  contract: {
    operationId: 'getScreen',
    tag: 'Screener',
    summary: 'Get a saved screen',
    description: 'Returns its name and its query.',
    path: screenPath,
    response: screenSchema,
    errors: UNKNOWN,
    examples: [{ title: 'One screen', path: { id: SCREEN.id }, response: SCREEN }],
  },
  respond: async (context, sources) =>
    jsonResponse(200, await ownScreen(context, sources), NO_STORE),
};

const deleteScreen: Route = {
  method: 'DELETE',
  template: '/svc/screens/{id}',
  access: writing,
  contract: {
    operationId: 'deleteScreen',
    tag: 'Screener',
    summary: 'Delete a saved screen',
    description: 'Webhooks that were created with the screen keep its query: delete them too.',
    path: screenPath,
    status: 204,
    errors: UNKNOWN,
    examples: [{ title: 'Delete a screen', path: { id: SCREEN.id } }],
  },
  async respond(context, sources) {
    const { id } = await ownScreen(context, sources);
    const { account, mode } = context.key;
    await sources.accounts.deleteScreen(account, mode, id);
    return createResponse(204, '', '');
  },
};

const getScreenRows: Route = {
  template: '/svc/screens/{id}/rows',
  access: { scope: 'fundamentals:read', tokens: 5 },
  contract: {
    operationId: 'getScreenRows',
    tag: 'Screener',
    summary: 'Get rows of a saved screen',
    description:
      'Responds as `/svc/screener` does to the query of the screen, and costs as much. `symbols` ' +
      'is for screens without symbols of their own.',
    path: screenPath,
    query: rowsParameters,
    response: screenerPageSchema,
    formats: FORMATS,
    headers: SCREENER_HEADERS,
    errors: UNKNOWN,
    errorDetails: { 400: { schema: screenerErrorSchema, example: {} } },
    examples: [
      {
        title: 'The first match',
        path: { id: SCREEN.id },
        query: { limit: '1' },
        response: firstPage([SCREENER_EXAMPLE], 71),
      },
    ],
  },
  async respond(context, sources) {
    const { query, headers } = context;
    const { format } = checkedQuery(rowsParameters, query);
    chosenFormat(format, headers.accept, FORMATS);
    const { query: saved } = await ownScreen(context, sources);
    const whole = query === '' ? saved : `${saved}&${query}`;
    return screenerResponse(context, sources, parsedScreenerQuery(whole, headers.accept));
  },
};

export const screenRoutes = [listScreens, createScreen, getScreen, deleteScreen, getScreenRows];

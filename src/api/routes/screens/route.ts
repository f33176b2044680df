/** `/svc/screens`: saved screens of the caller's account, in the mode of the caller's key. */

import { z } from 'zod';
import { HttpError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';
import type { SavedScreen } from '../../../store/sqlite/screens/screen-record.ts';
import type { RouteAccess } from '../../access/admission.ts';
import type { Route, RouteSources } from '../../contract/route.ts';
import { checkedQuery } from '../../http/query.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { createResponse, jsonResponse, NO_STORE } from '../../http/response.ts';
import { listParameters, listResponse } from '../../responses/pages.ts';
import { checkSavedQuery } from '../screener/saved-query.ts';
import { newScreenBody } from './body.ts';
import {
  deletedScreenExample,
  newScreenExample,
  screenExample,
  screenPageSchema,
  screenSchema,
  screensExample,
  UNKNOWN_SCREEN,
} from './schema.ts';

const reading: RouteAccess = { scope: 'fundamentals:read', tokens: 1, beyondQuota: true };
const writing: RouteAccess = { ...reading, scope: 'screens:write' };

const screenPath = z.strictObject({
  id: z.string().min(1).describe('The `id` of a saved screen.'),
});

const UNKNOWN = { 404: UNKNOWN_SCREEN };

/** @throws {HttpError} 404: it does not exist, or belongs to another account or mode. */
function ownScreen({ key, params }: AdmittedContext, { accounts }: RouteSources): SavedScreen {
  const screen = accounts.findScreen(key.account, key.mode, params.id);
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
    examples: [screensExample],
  },
  respond({ key: { account, mode }, query }, { accounts, cursors }) {
    const part = checkedQuery(listParameters, query);
    const walk = { account, mode, query: 'screens' };
    return listResponse(cursors, walk, part, (place) =>
      accounts.listScreenPart(account, mode, place),
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
    examples: [newScreenExample],
  },
  respond: (context, sources) =>
    sources.once(context, newScreenBody, ({ name, query }) => {
      checkSavedQuery('query', query);
      const { account, mode } = context.key;
      const screen = sources.accounts.createScreen({ account, mode, name, query });
      return jsonResponse(201, screen, NO_STORE);
    }),
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
    examples: [screenExample],
  },
  respond: (context, sources) => jsonResponse(200, ownScreen(context, sources), NO_STORE),
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
    examples: [deletedScreenExample],
  },
  respond(context, sources) {
    const { id } = ownScreen(context, sources);
    const { account, mode } = context.key;
    sources.accounts.deleteScreen(account, mode, id);
    return createResponse(204, '', '');
  },
};

export const screenRoutes = [listScreens, createScreen, getScreen, deleteScreen];

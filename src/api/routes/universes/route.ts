/** `GET /svc/universes`: universes, and the members of one as of a day. */

import { z } from 'zod';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import { type Universe, universesOf } from '../../../store/arrow/snapshot/universes.ts';
import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import { dateField, formatField, requireNoFuture } from '../../http/query-fields.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import {
  dateOrNull,
  knownUniverse,
  memberRows,
  newestDayOf,
  universesId,
} from '../../responses/universes.ts';
import {
  memberSchema,
  membersExample,
  membersSchema,
  universeSchema,
  universesExample,
  universesSchema,
} from './schema.ts';

const listParameters = z.strictObject({ format: formatField.optional() });

const parsedList = queryParser(listParameters, FORMATS);

const memberParameters = z.strictObject({
  as_of: dateField
    .describe('The day, with the tickers and names of that day. Default: that of the newest bar.')
    .optional(),
  format: formatField.optional(),
});

const parsedMembers = queryParser(memberParameters, FORMATS);

function universeRow(universe: Universe, newestDay: number): z.infer<typeof universeSchema> {
  const { name, title, fromDays, toDays } = universe;
  const isEmpty = fromDays.length === 0;
  return {
    ...{ name, title, members: universe.on(newestDay).length },
    from: isEmpty ? null : dateFromDay(fromDays.reduce((least, day) => Math.min(least, day))),
    to: isEmpty ? null : dateOrNull(toDays.reduce((last, day) => Math.max(last, day))),
  };
}

const universes: Route = {
  template: '/svc/universes',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'listUniverses',
    tag: 'Symbols',
    summary: 'List universes',
    description:
      '`all` and `active` follow from the bars and always exist; the others are those of loaded ' +
      'files of `members`. `in universe(…)` tests for them in screens and studies, and `@name` ' +
      'stands for their symbols in bulk requests.',
    query: listParameters,
    response: universesSchema,
    formats: FORMATS,
    isTagged: true,
    examples: [universesExample],
  },
  respond({ key, query, headers }, { readers, cached }) {
    const { format } = parsedList(query, headers.accept);
    const snapshot = readers[key.mode].current();
    return cached(key.mode, universesId(snapshot), `universes ${format}`, () => {
      const newestDay = newestDayOf(snapshot);
      const rows = universesOf(snapshot).map((one) => universeRow(one, newestDay));
      return dataResponse(
        rows.map((row) => JSON.stringify(row)),
        universeSchema,
        format,
      );
    });
  },
};

const members: Route = {
  template: '/svc/universes/{name}',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'listMembers',
    tag: 'Symbols',
    summary: 'List members of a universe',
    description:
      'The members as of a day: also those that left, were renamed or were delisted later. A ' +
      'security that came back has the days of the membership in force.',
    path: z.strictObject({ name: z.string().describe('Name of a universe: `sp500`.') }),
    query: memberParameters,
    response: membersSchema,
    formats: FORMATS,
    isTagged: true,
    errors: { 404: 'Unknown universe "sp400" in sandbox data: did you mean sp500?' },
    examples: [membersExample],
  },
  respond({ key, query, params, headers }, { readers, cached, now }) {
    const { as_of: asOf, format } = parsedMembers(query, headers.accept);
    const asked = asOf === undefined ? undefined : dayFromDate(asOf);
    requireNoFuture(asked, now());
    const snapshot = readers[key.mode].current();
    const universe = knownUniverse(snapshot, key.mode, params.name);
    const day = asked ?? newestDayOf(snapshot);
    const canonical = `members ${format} ${universe.name} ${day}`;
    return cached(key.mode, universesId(snapshot), canonical, () => {
      const rows = memberRows(snapshot, universe, day);
      return dataResponse(rows, memberSchema, format);
    });
  },
};

export const universeRoutes = [universes, members];

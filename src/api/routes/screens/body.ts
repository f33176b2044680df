/** Body of a new saved screen. */

import { z } from 'zod';
import { limits } from '../../../base/limits.ts';
import { labelField } from '../../http/body.ts';

const { queryCharsMax } = limits.savedScreen;

const QUERY_RULE = `must be the query of a screener as text, of 1 to ${queryCharsMax} characters`;

export const newScreenBody = z
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

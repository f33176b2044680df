/** Robinhood's bars, of which some are made up where nothing was traded: `interpolated`. */

import type { TableShape } from './shape.ts';

export const robinhood: TableShape = {
  words: 'a download of Robinhood',
  recognise({ header }) {
    const at = header.indexOf('interpolated');
    if (at === -1 || !header.includes('begins_at')) return undefined;
    return {
      header,
      headerLines: 1,
      stated: {},
      rows: (line) => (/^true$/i.test(line[at] ?? '') ? [] : [line]),
    };
  },
};

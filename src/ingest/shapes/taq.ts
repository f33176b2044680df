/** Tickers in two columns, as NYSE's TAQ has them: `SYM_ROOT` BRK and `SYM_SUFFIX` B are BRK.B. */

import type { TableShape } from './shape.ts';

export const taq: TableShape = {
  words: 'tickers of a root and a suffix',
  recognise({ header }) {
    const placeOf = (name: string) => header.findIndex((own) => own.toLowerCase() === name);
    const [rootAt, suffixAt] = [placeOf('sym_root'), placeOf('sym_suffix')];
    if (rootAt === -1 || suffixAt === -1) return undefined;
    return {
      header: header.map((name, at) => (at === rootAt ? 'symbol' : name)),
      headerLines: 1,
      stated: {},
      rows: (line) => {
        const symbol = [line[rootAt], line[suffixAt]].filter(Boolean).join('.');
        return [line.map((text, at) => (at === rootAt ? symbol : text))];
      },
    };
  },
};

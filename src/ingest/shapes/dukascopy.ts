/** Dukascopy's `Gmt time` and `Local time`: `02.01.2024 14:30:00.000`, the day first. */

import type { TableShape } from './shape.ts';

const STAMP = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?: GMT([+-]\d{4}))?$/;

export const dukascopy: TableShape = {
  words: 'a download of Dukascopy',
  recognise({ header }) {
    const at = header.findIndex((name) => /^(?:gmt|local|eet|utc) time$/i.test(name));
    if (at === -1) return undefined;
    const isGmt = /^(?:gmt|utc)/i.test(header[at]);
    const iso = (text: string) => {
      const [, day, month, year, clock, offset] = STAMP.exec(text) ?? [];
      if (year === undefined) return isGmt && /:\d{2}$/.test(text) ? `${text}Z` : text;
      return `${year}-${month}-${day} ${clock}${offset ?? (isGmt ? 'Z' : '')}`;
    };
    return {
      header: header.map((name, index) => (index === at ? 'datetime' : name)),
      headerLines: 1,
      stated: {},
      rows: (line) => [line.map((text, index) => (index === at ? iso(text) : text))],
    };
  },
};

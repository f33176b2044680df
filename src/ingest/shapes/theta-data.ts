/** ThetaData's minutes: days in `date`, and the time as milliseconds of New York's day. */

import { statement, type TableShape } from './shape.ts';

const MINUTE_MS = 60_000;

export const thetaData: TableShape = {
  words: 'times in milliseconds of a day, as ThetaData writes them',
  recognise({ header }) {
    const timeAt = header.indexOf('ms_of_day');
    // A day's bar has two such times: of its report and its last trade.
    if (timeAt === -1 || header.includes('ms_of_day2') || !header.includes('date')) {
      return undefined;
    }
    const priceAt = header.indexOf('open');
    return {
      header: header.map((name, at) => (at === timeAt ? 'time' : name)),
      headerLines: 1,
      stated: {
        zone: statement('America/New_York', 'its column "ms_of_day" counts from midnight there'),
      },
      // A minute without a trade is a row of zeros.
      rows: (line) =>
        Number(line[priceAt]) === 0
          ? []
          : [line.map((text, at) => (at === timeAt ? clockOf(text) : text))],
    };
  },
};

function clockOf(text: string): string {
  const minutes = Number(text) / MINUTE_MS;
  if (!/^\d+$/.test(text) || !Number.isInteger(minutes)) return text;
  const parts = [Math.floor(minutes / 60), minutes % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

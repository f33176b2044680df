/** Parameters of `POST /svc/backfills/files` that say what a file leaves open, in people's words. */

interface ReadingField {
  title: string;
  /** Titles by value. */
  choices: Readonly<Record<string, string>>;
}

export const READING_FIELDS: Readonly<Record<string, ReadingField>> = {
  basis: {
    title: 'Basis of the prices',
    choices: { raw: 'As traded', split: 'Split-adjusted', all: 'Splits and dividends' },
  },
  interval: {
    title: 'Interval of the bars',
    choices: { '1d': 'Days', '5m': '5 minutes', '1m': '1 minute' },
  },
  dates: {
    title: 'Dates of days',
    choices: { written: 'As written', next: 'The next day', previous: 'The day before' },
  },
  date_format: {
    title: 'Order of a date',
    choices: { ymd: 'Year, month, day', mdy: 'Month, day, year', dmy: 'Day, month, year' },
  },
  stamps: {
    title: 'Times stand at',
    choices: { start: 'The start of a bar', end: 'The end of a bar' },
  },
  zone: {
    title: 'Zone of times',
    choices: {
      'America/New_York': 'New York',
      UTC: 'UTC',
      'America/Chicago': 'Chicago',
      'Europe/London': 'London',
      'Europe/Berlin': 'Berlin',
      'Asia/Tokyo': 'Tokyo',
    },
  },
  decimal: {
    title: 'Decimal mark',
    choices: { point: 'Point: 1.5', comma: 'Comma: 1,5' },
  },
};

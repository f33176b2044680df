import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'alpaca',
  title: 'Alpaca, daily and 1-minute bars of many symbols, splits and dividends',
  datasets: ['candles', 'corporate-actions'],
  history: 'from 2016 on, raw, of the tape of all exchanges',
  delay: '16 minutes',
  cost: 'free with an account, 200 requests a minute; paid plans ask more often',
  terms: 'https://alpaca.markets/disclosures',
  redistribution: 'no',
  verified: 'unverified: documented formats only, not asked live',
  host: {
    id: 'ALPACA',
    title: 'Alpaca',
    url: 'https://data.alpaca.markets',
    keyUrl: 'https://alpaca.markets',
    limit: { requests: 200, windowS: 60 },
    auth: (key) => {
      const [id, secret] = key.split(':');
      const headers = { 'apca-api-key-id': id, 'apca-api-secret-key': secret };
      return { headers, secrets: [id, secret] };
    },
  },
  command: {
    description: 'daily or 1-minute bars from Alpaca, of --symbols or all known symbols',
    hasInterval: true,
  },
  schedules: [
    {
      name: 'minutes',
      rank: 1,
      rule: { everyMinutes: 1, during: 'session', lateMinutes: 17 },
      options: { interval: '1m' },
      firstDays: 0,
      isWatched: true,
      priority: 'quotes',
    },
    { name: 'days', rank: 2, rule: { minutesAfterClose: 30 }, priority: 'daily' },
  ],
  stored: 'bars',
};

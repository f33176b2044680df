import type { VendorFacts } from '../../contract/source.ts';
import { MASSIVE } from '../shared/keyed-hosts.ts';

export const vendor: VendorFacts = {
  id: 'massive',
  title: 'Massive (Polygon), days of the whole market, single symbols, flat files from disk',
  datasets: ['candles', 'corporate-actions'],
  history: 'two years on the free plan, from 2003 on paid ones; raw',
  delay: 'after the close; flat files the next day',
  cost: 'free with an account, 5 requests a minute; flat files and longer history are paid',
  terms: 'https://massive.com/terms',
  redistribution: 'no, unless your contract says so',
  verified: 'unverified: documented formats only, not asked live',
  host: MASSIVE,
  command: {
    description: 'bars from Massive: of --symbols, the whole market, or flat files',
    alias: 'polygon',
    hasInterval: true,
    argument: {
      name: '[path]',
      description: 'flat file, or a folder of them',
      option: 'path',
    },
  },
  schedules: [{ name: 'days', rank: 1, rule: { minutesAfterClose: 45 }, priority: 'daily' }],
  stored: 'bars',
};

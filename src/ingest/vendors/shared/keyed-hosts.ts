/** Hosts of vendors that more than one source asks. */

import type { Host } from '../../http/host.ts';

export const FMP: Host = {
  id: 'FMP',
  title: 'FMP',
  url: 'https://financialmodelingprep.com',
  keyUrl: 'https://site.financialmodelingprep.com',
  limit: { requests: 250, windowS: 86_400 },
  // It takes its key in the query only.
  auth: (key) => ({ query: { apikey: key }, secrets: [key] }),
};

export const MASSIVE: Host = {
  id: 'MASSIVE',
  title: 'Massive',
  url: 'https://api.massive.com',
  keyUrl: 'https://massive.com',
  limit: { requests: 5, windowS: 60 },
  auth: (key) => ({ headers: { authorization: `Bearer ${key}` }, secrets: [key] }),
};

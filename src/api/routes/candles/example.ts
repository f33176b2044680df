import type { RouteExample } from '../../contract/route.ts';

export const candlesExample: RouteExample = {
  title: 'Days of one symbol as CSV',
  query: { symbols: 'QXAA', from: '2026-11-16', format: 'csv' },
  csv:
    'symbol,timestamp,date,open,high,low,close,volume,adjustment\r\n' +
    'QXAA,2026-11-16T00:00:00.000Z,2026-11-16,141.49,145.36,140.34,144.5,9789,split\r\n' +
    'QXAA,2026-11-17T00:00:00.000Z,2026-11-17,145.45,147.56,142.79,142.9,7264,split\r\n',
};

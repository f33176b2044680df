import type { RouteExample } from '../../contract/route.ts';
import { firstPage } from '../../responses/pages.ts';

export const ARTICLE = {
  id: 'news_hjtouvzlpgm7yd3p2epyz7xfam',
  title: 'Insider of Brixadodane Inc. (synthetic) buys 149 shares',
  summary:
    'Kreftadosylt Ochtivorgorn (synthetic), Chief Executive Officer, bought on the open market, ' +
    'as a filing shows, a sign of confidence.',
  source: 'Fenqebra Business (synthetic)',
  url: 'https://news.sandbox.invalid/qxaa/2026-10-12/insider-1',
  publishedAt: '2026-10-12T22:04:00.000Z',
  symbols: ['QXAA'],
  sentiment: 'positive',
};

export const newsExample: RouteExample = {
  title: 'The newest positive article',
  query: { sentiment: 'positive', limit: '1' },
  response: firstPage([ARTICLE], 607),
};

export const symbolNewsExample: RouteExample = {
  title: 'The newest article of a symbol',
  path: { symbol: 'QXAA' },
  query: { limit: '1' },
  response: firstPage([ARTICLE], 22),
};

export const articleExample: RouteExample = {
  title: 'One article by its id',
  path: { symbol: ARTICLE.id },
  response: ARTICLE,
};

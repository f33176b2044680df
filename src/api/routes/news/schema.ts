import { z } from 'zod';
import { SENTIMENTS } from '../../../base/datasets/market.ts';
import { NEWS_ID } from '../../../base/datasets/news-id.ts';
import { pageSchema } from '../../responses/pages.ts';
import { dateTime } from '../../responses/schema-fields.ts';

export const articleSchema = z
  .strictObject({
    id: z.string().regex(NEWS_ID),
    title: z.string(),
    summary: z.string().nullable(),
    source: z.string(),
    url: z.string().describe('Address of the article.'),
    publishedAt: dateTime,
    symbols: z.array(z.string()),
    sentiment: z.enum(SENTIMENTS).nullable().describe('Tone of the article, judged by its words.'),
  })
  .meta({ id: 'Article' });

export const newsPageSchema = pageSchema('NewsPage', articleSchema);

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

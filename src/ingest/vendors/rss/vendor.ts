import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'rss',
  title: 'News feeds, RSS and Atom, of any site',
  datasets: ['news'],
  history: 'what a feed holds, some 20 to 100 articles: news from the day it starts',
  delay: 'minutes, as the site writes its feed',
  cost: 'free',
  terms: 'those of each site; Yahoo: https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
  redistribution: 'no, unless the site says so',
  verified: "the SEC's Atom feeds, recorded; other formats after their specifications",
  host: {
    // Any site with a feed. Each site has a pace of its own.
    id: 'RSS',
    title: 'the feed',
    url: 'https://feeds.finance.yahoo.com',
    limit: { requests: 1, windowS: 1 },
  },
  command: {
    description: 'news from RSS and Atom feeds',
    argument: {
      name: '[feeds...]',
      description: 'URLs or files (default: TAPEWORKS_RSS_FEEDS)',
      option: 'paths',
    },
  },
  schedules: [{ name: 'news', rank: 1, rule: { everyMinutes: 5 }, priority: 'quotes' }],
  stored: 'companies',
  defaultPaths: 'rssFeeds',
};

import type { VendorFacts } from '../../contract/source.ts';
import { SEC } from '../shared/sec.ts';

export const vendor: VendorFacts = {
  id: 'symbols',
  title: "Nasdaq Trader's and the SEC's directories of symbols",
  datasets: ['symbols'],
  history: 'the symbols listed today',
  delay: 'made every day',
  cost: 'free; local files, or over the network with TAPEWORKS_CONTACT',
  terms:
    'https://www.nasdaqtrader.com/Trader.aspx?id=SymbolDirDefs and https://www.sec.gov/privacy',
  redistribution: 'the SEC: yes; Nasdaq Trader: see its terms',
  verified: 'real files: Nasdaq Trader of October 2019, the SEC of later',
  host: SEC,
  command: {
    description: 'company names, exchanges and types from Nasdaq Trader and the SEC',
    argument: {
      name: '[paths...]',
      description: 'files or folders (default: download)',
      option: 'paths',
    },
    isWhole: true,
  },
  stored: 'notices',
  schedules: [
    { name: 'symbols', rank: 1, rule: { at: '06:30', on: 'sessions' }, priority: 'daily' },
  ],
};

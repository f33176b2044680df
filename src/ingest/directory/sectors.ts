/**
 * The eleven sectors of market data. The sandbox draws companies by their places in this list:
 * another order would be another market.
 */

export const SECTORS = [
  'Basic Materials',
  'Communication Services',
  'Consumer Cyclical',
  'Consumer Defensive',
  'Energy',
  'Financial Services',
  'Healthcare',
  'Industrials',
  'Real Estate',
  'Technology',
  'Utilities',
] as const;

export type Sector = (typeof SECTORS)[number];

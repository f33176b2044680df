/** What a user's own file of a dataset looks like. */

import { ParameterError } from '../errors.ts';

const TEMPLATES: Record<string, string> = {
  candles:
    'symbol,date,open,high,low,close,volume\n' +
    'AAPL,2026-01-02,271.5,274.2,270.1,273.4,41250000\n',
};

/**
 * Header and one example row, as CSV.
 *
 * @throws {ParameterError} `dataset` has no template.
 */
export function templateText(dataset: string): string {
  const text = Object.hasOwn(TEMPLATES, dataset) ? TEMPLATES[dataset] : undefined;
  if (text !== undefined) return text;
  const known = Object.keys(TEMPLATES).join(', ');
  throw new ParameterError('dataset', `dataset must be one of ${known}, got "${dataset}"`);
}

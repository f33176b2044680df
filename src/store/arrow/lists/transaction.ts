import type { InsiderRow } from '../../../compute/companies/insider-summary.ts';
import type { ListRow } from './specs.ts';

/** Converts a published row of `insider` to the form that summaries compute with. */
export function transactionFromRow({ timestampMs, id, kind, json }: ListRow): InsiderRow {
  const [accession, line] = id.split(' ');
  const isDerivative = kind === 'derivative' ? 'true' : 'false';
  return { ...JSON.parse(json), filedAt: timestampMs, accession, line: Number(line), isDerivative };
}

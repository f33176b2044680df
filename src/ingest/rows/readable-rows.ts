import type { Dataset } from '../../base/datasets/dataset.ts';
import { rowDatasets } from '../../base/datasets/datasets.ts';
import { assert, type MalformedInputError } from '../../base/errors.ts';
import type { FetchedRows } from '../contract/fetch-context.ts';
import { malformed } from '../http/checked-response.ts';
import { rowFault } from './check-row.ts';
import type { UncheckedRow } from './stage-rows.ts';

/**
 * Counts the good rows of a response.
 * @throws {MalformedInputError} it has rows and none is good; gives the reason of the first.
 */
export function readableRowCount(
  dataset: Dataset['name'],
  rows: readonly UncheckedRow[],
  title: string,
): number {
  const found = rowDatasets.find(({ name }) => name === dataset);
  assert(found, `${dataset} is a dataset of rows`);
  const faults = rows.flatMap((one) => {
    const fault = 'row' in one ? rowFault(found, { ...one.row }) : one.reason;
    return fault === undefined ? [] : [fault];
  });
  if (rows.length > 0 && faults.length === rows.length) throw unreadable(title, faults[0], rows);
  return rows.length - faults.length;
}

/**
 * Yields all segments of a run. Refused rows are in the quarantine by the time it throws.
 * @throws {MalformedInputError} a dataset has rows and none is good; gives the usual reason.
 */
export async function* requireReadable(
  title: string,
  segments: AsyncIterable<FetchedRows>,
): AsyncGenerator<FetchedRows> {
  const refused = new Map<string, Map<string, number>>();
  const readable = new Set<string>();
  for await (const segment of segments) {
    const { dataset, accepted, rejectedByReason } = segment;
    if (accepted > 0) readable.add(dataset);
    const counts = refused.get(dataset) ?? new Map<string, number>();
    for (const [reason, count] of rejectedByReason) {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
    refused.set(dataset, counts);
    yield segment;
  }
  for (const [dataset, counts] of refused) {
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most === undefined || readable.has(dataset)) continue;
    const total = counts.values().reduce((sum, count) => sum + count, 0);
    throw unreadable(`${title}'s ${dataset}`, most[0], { length: total });
  }
}

function unreadable(
  title: string,
  reason: string,
  { length }: { length: number },
): MalformedInputError {
  return malformed(title, `${reason}, and none of ${length} rows is good`);
}

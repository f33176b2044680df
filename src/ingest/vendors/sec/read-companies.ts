import type { FetchContext } from '../../contract/fetch-context.ts';
import { batchesOf } from '../../inputs/scan-inputs.ts';
import { startThreads } from '../../inputs/threads.ts';
import type { CompanyOutcome } from './company-outcome.ts';
import { secLimits } from './limits.ts';
import companyText, { type CompanyInput } from './read-company.ts';

/** Batches of companies: the same input makes the same batches. */
export function companyBatches(inputs: readonly CompanyInput[]): CompanyInput[][] {
  const { batchBytes, batchCompanies } = secLimits;
  return batchesOf(inputs, bytesOf, { bytesMax: batchBytes, countMax: batchCompanies });
}

const bytesOf = ({ files }: CompanyInput) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Yields outcomes batch by batch, in the order given, while the next batch is being read. */
export async function* readCompanies(
  batches: readonly CompanyInput[][],
  { onProgress, signal }: Pick<FetchContext, 'onProgress' | 'signal'>,
): AsyncGenerator<CompanyOutcome[]> {
  const inputs = batches.flat();
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  await using threads = startThreads(companyText, ['./read-company', import.meta.url], {
    bytes,
    signal,
    youngMegabytes: secLimits.threadYoungMegabytes,
  });
  let done = 0;
  const readOne = async (input: CompanyInput): Promise<CompanyOutcome> => {
    const text = await threads.run(input);
    onProgress?.('read companies', ++done, inputs.length);
    return JSON.parse(text);
  };
  const read = (batch: readonly CompanyInput[] = []) => {
    const outcomes = Promise.all(batch.map(readOne));
    // The failure is thrown when the caller comes to this batch.
    outcomes.catch(() => undefined);
    return outcomes;
  };
  let reading = read(batches[0]);
  for (const [i] of batches.entries()) {
    const outcomes = reading;
    reading = read(batches[i + 1]);
    yield await outcomes;
  }
}

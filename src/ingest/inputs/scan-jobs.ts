import { MalformedInputError } from '../../base/errors.ts';
import type { InputFile } from './input-file.ts';
import { type FileScan, scanInput } from './scan-input.ts';

export interface ScanJob {
  input: InputFile;
  unpackTo?: string;
}

/** Outcome of one file. Damage is an outcome and not an error, so that other files continue. */
export type ScanOutcome = { scan: FileScan } | { damage: string };

export async function scanJobs(jobs: readonly ScanJob[]): Promise<ScanOutcome[]> {
  const outcomes: ScanOutcome[] = [];
  for (const { input, unpackTo } of jobs) {
    try {
      outcomes.push({ scan: await scanInput(input, unpackTo) });
    } catch (error) {
      if (!(error instanceof MalformedInputError)) throw error;
      outcomes.push({ damage: error.message });
    }
  }
  return outcomes;
}

export default scanJobs;

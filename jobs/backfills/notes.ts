/** Notes about a running backfill in its row: the progress, and whom or what it waits for. */

import { limits } from '../../src/base/limits.ts';
import {
  clearInterval,
  clearTimeout,
  monotonicMs,
  setInterval,
  setTimeout,
} from '../../src/base/world/clock.ts';
import type { BackfillProgress } from '../../src/store/accounts/backfills/backfill-record.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import type { WaitOptions } from '../contract/runner.ts';
import { isStarved, processorUse } from './processor-wait.ts';

export interface Notes extends WaitOptions {
  /** Drops what is not written yet. */
  end(): void;
}

const PROCESSOR = 'a processor: other programs keep them busy';

/**
 * Notes the progress in the row of the backfill, a few times a second.
 *
 * @param use Processor use of this process since the last call; undefined where it is not known.
 */
export function notedProgress(
  id: string,
  accounts: Pick<Accounts, 'noteBackfill'>,
  use = processorUse(),
): Notes {
  let progress: BackfillProgress | null = null;
  let waitsFor: string | null = null;
  let waitsForProcessor = false;
  let timer: NodeJS.Timeout | undefined;
  let checkedMs = monotonicMs();
  const write = async () => {
    timer = undefined;
    try {
      await accounts.noteBackfill(id, progress, waitsFor ?? (waitsForProcessor ? PROCESSOR : null));
    } catch {
      // The file is being written: the next note has newer numbers.
    }
  };
  const note = () => {
    timer ??= setTimeout(write, limits.backfills.pollMs);
  };
  const checking = setInterval(() => {
    const nowMs = monotonicMs();
    const used = use();
    const isWaiting = used !== undefined && isStarved(used, nowMs - checkedMs);
    checkedMs = nowMs;
    if (isWaiting !== waitsForProcessor) note();
    waitsForProcessor = isWaiting;
  }, limits.backfills.processorCheckMs);
  return {
    onProgress(step, done, total) {
      progress = { step, done, total };
      waitsFor = null;
      note();
    },
    onWaiting(whom) {
      waitsFor = whom;
      note();
    },
    end() {
      clearTimeout(timer);
      clearInterval(checking);
    },
  };
}

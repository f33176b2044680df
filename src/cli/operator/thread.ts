/** The thread that makes reports for the operator, so that no request waits for their reads. */

import { sentError } from '../../api/screens/sent-error.ts';
import { type Mode, modePaths } from '../../base/config/data-dir.ts';
import type { GapsReport } from '../../base/operator/report.ts';
import { wallMs } from '../../base/world/clock.ts';
import { parentPort, workerData } from '../../base/world/threads.ts';
import { manifestStamp } from '../../store/arrow/format/manifest.ts';
import type { OperatorCall, OperatorReply } from '../server/operator-reports.ts';
import { lowerThreadPriority } from '../server/priority.ts';
import { gapsReport } from './gaps.ts';
import { createReport } from './report.ts';
import { retryJobs } from './retry.ts';

lowerThreadPriority();
const { settings } = workerData as { settings: Parameters<typeof createReport>[0] };
const report = createReport(settings);
/** Reports of the newest version of each mode. */
const gaps = new Map<Mode, { stamp: string; report: GapsReport }>();

function keptGaps(mode: Mode): GapsReport {
  const stamp = String(manifestStamp(modePaths(settings.dataDir, mode).serving));
  const known = gaps.get(mode);
  if (known?.stamp === stamp) return known.report;
  const made = gapsReport(settings.dataDir, mode);
  gaps.set(mode, { stamp, report: made });
  return made;
}

async function resultOf(call: OperatorCall): Promise<unknown> {
  switch (call.kind) {
    case 'status':
      return report();
    case 'gaps':
      return keptGaps(call.mode);
    case 'retry':
      return { runs: await retryJobs(settings, call.request, wallMs()) };
  }
}

parentPort?.on('message', async ({ id, call }: { id: number; call: OperatorCall }) => {
  const reply = await resultOf(call).then(
    (result): OperatorReply => ({ id, text: JSON.stringify(result) }),
    (error): OperatorReply => ({ id, error: sentError(error) }),
  );
  parentPort?.postMessage(reply);
});

/** The thread that runs screens for all API threads of a server. */

import { startScreenService } from '../../api/screens/service.ts';
import { type Mode, modePaths } from '../../base/config/data-dir.ts';
import { process } from '../../base/world/process.ts';
import { type MessagePort, parentPort, workerData } from '../../base/world/threads.ts';
import { openServing } from '../../store/arrow/read/reader.ts';
import { lowerThreadPriority } from './priority.ts';

/** Data that the thread needs to begin. */
export interface ScreenThreadData {
  dataDir: string;
  /** True if other machines serve the same versions, so that walks may come from them. */
  isShared: boolean;
  /** Share of screens that are computed again and compared. */
  verify: number;
}

/** Message to the thread. */
export type ScreenThreadMessage =
  /** An API thread has the other side of the port. */
  { kind: 'connect'; port: MessagePort } | { kind: 'stop' };

lowerThreadPriority();
const { dataDir, isShared, verify } = workerData as ScreenThreadData;
// API threads follow the same files, and log their damage.
const open = (mode: Mode) =>
  openServing(modePaths(dataDir, mode).serving, {
    prepare: async (version) => {
      // The first versions are prepared before the service is there.
      await undefined;
      if (isShared) service.hold(mode, version);
    },
  });
const readers = { live: open('live'), sandbox: open('sandbox') };
const service = startScreenService(readers, verify);

parentPort?.on('message', (message: ScreenThreadMessage) => {
  if (message.kind === 'connect') return service.accept(message.port);
  service.close();
  readers.live.close();
  readers.sandbox.close();
  process.exit();
});
parentPort?.postMessage('ready');

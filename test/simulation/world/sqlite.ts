/** SQLite runs as it is; a process that is killed loses its connections, as the kernel does it. */

import * as sqlite from 'node:sqlite';
import { current } from '../simulation.ts';

export { backup, constants, StatementSync } from 'node:sqlite';

export class DatabaseSync extends sqlite.DatabaseSync {
  constructor(path: string, options?: sqlite.DatabaseSyncOptions) {
    super(path, options);
    current()?.open.add(() => {
      if (this.isOpen) this.close();
    });
  }
}

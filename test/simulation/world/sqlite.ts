/**
 * SQLite runs as it is. Processes are killed before any statement that writes, which a full disk
 * refuses, and a killed one loses its connections, as the kernel does it.
 */

import * as sqlite from 'node:sqlite';
import { current, Killed } from '../simulation.ts';
import { before } from './files.ts';

export { backup, constants, StatementSync } from 'node:sqlite';

/** Number of statements so far that may have changed a file. */
export const written = { statements: 0 };

const WRITES = /^\s*(INSERT|UPDATE|DELETE|COMMIT)\b/;

export class DatabaseSync extends sqlite.DatabaseSync {
  readonly #path: string;
  readonly #owner = current();

  constructor(path: string, options?: sqlite.DatabaseSyncOptions) {
    super(path, options);
    this.#path = path;
    this.#owner?.open.add(() => {
      if (this.isOpen) this.close();
    });
  }

  override exec(sql: string): void {
    this.#mayFail(sql);
    super.exec(sql);
  }

  override prepare(sql: string): sqlite.StatementSync {
    const statement = super.prepare(sql);
    for (const name of ['run', 'get', 'all'] as const) {
      const call = statement[name] as (...values: unknown[]) => unknown;
      Object.defineProperty(statement, name, {
        value: (...values: unknown[]) => {
          this.#mayFail(sql);
          return call.apply(statement, values);
        },
      });
    }
    return statement;
  }

  #mayFail(sql: string): void {
    if (this.#owner?.isDead) throw new Killed();
    const [, word] = WRITES.exec(sql) ?? [];
    if (word === undefined) return;
    before(word, this.#path, { writes: word !== 'DELETE' });
    written.statements++;
  }
}

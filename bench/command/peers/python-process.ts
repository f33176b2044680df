/** A script in a Python of the user's, which gives one line for each line that it gets. */

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { TapeworksError, UsageError } from '../../../src/base/errors.ts';
import { quoted } from '../../../src/base/quoted.ts';
import { clearTimeout, setTimeout } from '../../../src/base/world/clock.ts';
import { type ChildProcess, spawn } from '../../../src/base/world/programs.ts';
import { benchLimits } from '../limits.ts';

export class PythonProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  #stderr = '';

  constructor(interpreter: string, script: URL, args: readonly string[] = []) {
    this.#child = spawn(interpreter, [fileURLToPath(script), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#ended = once(this.#child, 'close').catch((error: Error) => {
      throw new UsageError(`--python must name an interpreter, ${quoted(interpreter)} can't run`, {
        cause: error,
      });
    });
    // A failure is reported by the request that waits for the response.
    this.#ended.catch(() => {});
    this.#child.stdin?.on('error', () => {});
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.#stderr = (this.#stderr + text).slice(-4096);
    });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** @throws {UsageError} The interpreter can't be started, or has ended. */
  async line(): Promise<string> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#child.kill();
      reject(new TapeworksError(`Python gave no response within ${benchLimits.childMs / 1000} s`));
    }, benchLimits.childMs);
    try {
      const line = await Promise.race([this.#lines.next(), late]);
      if (!line.done) return line.value;
      await this.#ended;
      const reason = this.#stderr.trim().split('\n').pop();
      throw new UsageError(`--python ended: ${reason || 'without a message'}`);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended.catch(() => {});
  }
}

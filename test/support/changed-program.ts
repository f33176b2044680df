/** Runs a script with the program's own modules, some of which have another text. */

import { execFileSync } from 'node:child_process';
import type { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** Answers for modules that are changed or that exist only here; it runs in the script's process. */
function serve(texts: Record<string, string>, hooks: typeof registerHooks): void {
  hooks({
    resolve(specifier, context, next) {
      const url = URL.canParse(specifier, context.parentURL)
        ? new URL(specifier, context.parentURL).href
        : '';
      return url in texts ? { url, shortCircuit: true } : next(specifier, context);
    },
    load: (url, context, next) =>
      url in texts
        ? { format: 'module-typescript', source: texts[url], shortCircuit: true }
        : next(url, context),
  });
}

/**
 * Returns what the script writes to standard output, parsed.
 *
 * @param texts  Texts of modules by path below the root of the repository.
 * @param script A module whose imports begin at the root.
 * @param args   From `process.argv[1]` on.
 */
export function runChanged(
  texts: Record<string, string>,
  script: string,
  args: readonly string[],
): unknown {
  const byUrl = Object.entries(texts).map(([path, text]) => [new URL(path, ROOT).href, text]);
  const hook = `import { registerHooks } from 'node:module';
(${serve})(${JSON.stringify(Object.fromEntries(byUrl))}, registerHooks);`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const code = ['--input-type=module-typescript', '--eval', script];
  const options = { cwd: fileURLToPath(ROOT), encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, [...flags, ...code, ...args], options));
}

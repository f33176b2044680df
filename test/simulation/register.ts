/** Puts the simulated world in the place of the real one, and a planted bug into the program. */

import { registerHooks } from 'node:module';
import { BUGS } from './planted/bugs.ts';

const ROOT = new URL('../../', import.meta.url).href;
const HERE = new URL('./', import.meta.url).href;

/** Parts of the program that the simulation replaces, by their addresses. */
const REPLACED: Record<string, string> = {
  'src/base/world/clock.ts': 'world/clock.ts',
  'src/base/world/chance.ts': 'world/chance.ts',
  'src/base/world/files.ts': 'world/files.ts',
  'src/base/world/file-promises.ts': 'world/file-promises.ts',
  'src/base/world/process.ts': 'world/process.ts',
  'src/store/shared/open-objects.ts': 'object-store.ts',
  'src/ingest/sources/sources.ts': 'world/vendor.ts',
  'jobs/load/backfill.ts': 'world/load.ts',
  'jobs/maintenance/tasks.ts': 'world/load.ts',
  'jobs/webhooks/attempt.ts': 'world/work.ts',
  'jobs/webhooks/guarded-agent.ts': 'world/work.ts',
};

/** Modules that the simulation replaces for the program. Other modules have their own. */
const MODULES: Record<string, string> = {
  'node:sqlite': 'world/sqlite.ts',
  pg: 'world/pg.ts',
  ioredis: 'world/ioredis.ts',
};

/** DuckDB's calls, which its own module makes. */
const BINDINGS = '@duckdb/node-bindings';

const planted = BUGS.find(({ name }) => name === process.env.SIMULATION_BUG);

registerHooks({
  resolve(specifier, context, next) {
    const isOfProgram = !context.parentURL?.startsWith(HERE);
    if (specifier === BINDINGS && isOfProgram) return found('world/duckdb.ts');
    const isOfModule = context.parentURL?.includes('/node_modules/');
    if (isOfProgram && !isOfModule && MODULES[specifier]) return found(MODULES[specifier]);
    const resolved = next(specifier, context);
    const replacement = isOfProgram && REPLACED[resolved.url.slice(ROOT.length)];
    return replacement ? found(replacement) : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!planted || url !== ROOT + planted.file) return loaded;
    const text = String(loaded.source);
    const parts = text.split(planted.from);
    if (parts.length !== 2) throw new Error(`"${planted.name}" fits ${parts.length - 1} places`);
    return { ...loaded, source: parts.join(planted.to) };
  },
});

function found(path: string) {
  return { url: HERE + path, shortCircuit: true };
}

// BullMQ's own code runs over a model of its scripts. Both are loaded after the hooks.
await import('./world/globals.ts');
const [{ setDefaultBackendFactory }, { simulatedBackend }] = await Promise.all([
  import('bullmq'),
  import('./world/job-backend.ts'),
]);
setDefaultBackendFactory(simulatedBackend);

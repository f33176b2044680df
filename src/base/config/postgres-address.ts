/** Parses the address of Postgres. Loads no driver. */

import { ConfigError } from '../errors.ts';
import { readFileSync } from '../world/files.ts';

/** Address as options of the driver. */
export interface PostgresPlace {
  connectionString: string;
  ssl: false | { rejectUnauthorized: boolean; ca?: string; cert?: string; key?: string };
}

const SSL_MODES = ['disable', 'require', 'verify-full', 'no-verify'] as const;

const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * Parses `TAPEWORKS_ACCOUNTS_URL`.
 *
 * @throws {ConfigError} the message holds no password.
 */
export function postgresPlace(url: string): PostgresPlace {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw malformed('must be an address like postgres://user:password@host:5432/database');
  }
  const address = new URL(url);
  const query = address.searchParams;
  const mode = query.get('sslmode') ?? 'disable';
  if (!SSL_MODES.some((known) => known === mode)) {
    throw malformed(`must have an sslmode among ${SSL_MODES.join(', ')}, got "${mode}"`);
  }
  if (address.pathname.length < 2) throw malformed('must end in the name of a database');
  query.delete('sslmode');
  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, option] of Object.entries(FILES)) {
    const path = query.get(name);
    if (path !== null) files[option] = contentOf(name, path);
    query.delete(name);
  }
  const ssl =
    mode === 'disable' ? (false as const) : { rejectUnauthorized: mode !== 'no-verify', ...files };
  return { connectionString: address.href, ssl };
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(
      `TAPEWORKS_ACCOUNTS_URL names a file in ${name} that can't be read: ${code}`,
      { cause },
    );
  }
}

function malformed(rule: string): ConfigError {
  return new ConfigError(`TAPEWORKS_ACCOUNTS_URL ${rule}`);
}

/**
 * The door of the commands to the fleet, whose parts are imported where the settings name them:
 * uploads of published versions, replicas, and the Postgres of accounts.
 */

import type { Settings } from '../base/config/config.ts';
import { TapeworksError } from '../base/errors.ts';

/** Imports the storage of replicas: uploads, downloads and their checks. */
export async function loadReplicas() {
  const [uploads, replica, writes, shared] = await Promise.all([
    import('../fleet/replicas/run-uploads.ts'),
    import('../fleet/replicas/run-replica.ts'),
    import('../fleet/replicas/conditional-writes.ts'),
    import('../fleet/replicas/shared-manifest.ts'),
  ]);
  return { ...uploads, ...replica, ...writes, ...shared };
}

/** Imports the connections and the schema of accounts in Postgres. */
export async function loadPostgres() {
  const [sql, schema] = await Promise.all([
    import('../fleet/postgres/sql.ts'),
    import('../fleet/postgres/schema.ts'),
  ]);
  return { ...sql, ...schema };
}

type UploadSettings = Pick<Settings, 'dataDir' | 'snapshotsUrl'>;

/** Uploads until the signal aborts; does nothing without object storage. */
export async function keepUploads(
  settings: UploadSettings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (settings.snapshotsUrl === undefined) return;
  const { keepUploading } = await loadReplicas();
  await keepUploading(settings, note, signal);
}

/**
 * Uploads what a command has published.
 *
 * @throws {TapeworksError} it is published here, but could not be uploaded.
 */
export async function uploadAtEnd(settings: UploadSettings): Promise<void> {
  if (settings.snapshotsUrl === undefined) return;
  const { uploadPublished } = await loadReplicas();
  try {
    await uploadPublished(settings);
  } catch (cause) {
    if (!(cause instanceof TapeworksError)) throw cause;
    throw new TapeworksError(
      'the data is published here, but could not be uploaded. Run the command again, or start, ' +
        `worker or schedule: each of them uploads it. Reason: ${cause.message}`,
      { cause },
    );
  }
}

/** Uploads published versions next to other work, and at the end of a command. */

import type { Settings } from '../base/config/config.ts';
import { TapeworksError } from '../base/errors.ts';

type UploadSettings = Pick<Settings, 'dataDir' | 'snapshotsUrl'>;

/** Uploads until the signal aborts; does nothing without object storage. */
export async function keepUploads(
  settings: UploadSettings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (settings.snapshotsUrl === undefined) return;
  const { keepUploading } = await import('../store/replicas/run-uploads.ts');
  await keepUploading(settings, note, signal);
}

/**
 * Uploads what a command has published.
 *
 * @throws {TapeworksError} it is published here, but could not be uploaded.
 */
export async function uploadAtEnd(settings: UploadSettings): Promise<void> {
  if (settings.snapshotsUrl === undefined) return;
  const { uploadPublished } = await import('../store/replicas/run-uploads.ts');
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

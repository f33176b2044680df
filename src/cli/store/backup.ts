/** `backup` and `restore`: copies all data to a folder, and back. */

import { type Command, Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { MODES, type Mode, webhookKeyPath } from '../../base/config/data-dir.ts';
import { countText } from '../../base/count-text.ts';
import { createOutput } from '../output.ts';
import { withProgress } from '../progress.ts';

interface BackupOptions {
  mode?: Mode;
  withKeys?: boolean;
  json?: boolean;
}

async function runBackup(folder: string, options: BackupOptions): Promise<void> {
  const { dataDir, segmentsDir } = settingsFromEnv(process.env);
  const output = createOutput(options.json);
  const modes = options.mode && [options.mode];
  const keyFiles = options.withKeys ? [webhookKeyPath(dataDir)] : [];
  const { backup } = await import('../../../jobs/backup/backup.ts');
  const places = { dataDir, segmentsDir, target: folder, modes, keyFiles };
  const report = await withProgress(output, (shown) =>
    backup(places, { verb: 'backup', nowMs: Date.now(), ...shown }),
  );
  output.result(report, [
    `saved: ${countText(report.files)} files, ${megabytes(report.bytes)} (${report.modes.join(', ')})`,
    `in: ${report.folder}`,
  ]);
}

async function runRestore(folder: string, options: { json?: boolean }): Promise<void> {
  const { dataDir, segmentsDir } = settingsFromEnv(process.env);
  const output = createOutput(options.json);
  const { restore } = await import('../../../jobs/backup/restore.ts');
  const report = await withProgress(output, ({ onProgress }) =>
    restore(folder, { dataDir, segmentsDir }, { onProgress }),
  );
  output.result(report, [
    `restored: ${countText(report.files)} files, ${megabytes(report.bytes)} ` +
      `(${report.modes.join(', ')}), saved at ${report.createdAt}`,
    `in: ${report.folder}`,
  ]);
}

function megabytes(bytes: number): string {
  return `${countText(Math.ceil(bytes / 1e6))} MB`;
}

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('copy all data to a new folder (works while the server runs)')
    .argument('<folder>', 'new folder, or the folder of an interrupted backup')
    .addOption(
      new Option(
        '--mode <mode>',
        'back up only live or sandbox data (accounts are always included)',
      ).choices(MODES),
    )
    .option('--with-keys', 'include webhook.key, which decrypts webhook secrets')
    .action(runBackup);
  program
    .command('restore')
    .description('check a backup and put it into an empty TAPEWORKS_DATA_DIR')
    .argument('<folder>', 'folder of a backup')
    .action(runRestore);
}

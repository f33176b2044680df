/** `backup` and `restore`: copies all data to a folder, and back. */

import { type Command, Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { MODES, type Mode, webhookKeyPath } from '../../base/config/data-dir.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
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
  const [{ backup }, { backupToObjects }] = await Promise.all([
    import('../../../jobs/backup/backup.ts'),
    import('../../../jobs/backup/objects.ts'),
  ]);
  const save = isObjectPlace(folder) ? backupToObjects : backup;
  const places = { dataDir, segmentsDir, target: folder, modes, keyFiles };
  const report = await withProgress(output, (shown) =>
    save(places, { verb: 'backup', nowMs: wallMs(), ...shown }),
  );
  output.result(report, [
    `saved: ${manyText(report.files, 'file')}, ${megabytes(report.bytes)} (${report.modes.join(', ')})`,
    `in: ${report.folder}`,
  ]);
}

async function runRestore(folder: string, options: { json?: boolean }): Promise<void> {
  const { dataDir, segmentsDir } = settingsFromEnv(process.env);
  const output = createOutput(options.json);
  const [{ restore }, { restoreFromObjects }] = await Promise.all([
    import('../../../jobs/backup/restore.ts'),
    import('../../../jobs/backup/objects.ts'),
  ]);
  const put = isObjectPlace(folder) ? restoreFromObjects : restore;
  const report = await withProgress(output, ({ onProgress }) =>
    put(folder, { dataDir, segmentsDir }, { onProgress }),
  );
  output.result(report, [
    `restored: ${manyText(report.files, 'file')}, ${megabytes(report.bytes)} ` +
      `(${report.modes.join(', ')}), saved at ${report.createdAt}`,
    `in: ${report.folder}`,
    ...(report.accounts ? [`accounts: ${ACCOUNTS_LINES[report.accounts]}`] : []),
  ]);
}

const ACCOUNTS_LINES = {
  moved: 'now in Postgres, which was empty',
  kept: 'Postgres has accounts, which stay; those of the backup are in accounts.sqlite, unused',
  unreachable:
    'in accounts.sqlite; Postgres could not be reached, so run "tapeworks accounts move --to postgres"',
};

/** Returns true for an address of object storage: `s3://…` or `file://…`. */
function isObjectPlace(text: string): boolean {
  return /^(s3|file):\/\//.test(text);
}

function megabytes(bytes: number): string {
  return `${countText(Math.ceil(bytes / 1e6))} MB`;
}

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('copy all data to a new folder (works while the server runs)')
    .argument('<folder>', 'new folder, folder of an interrupted backup, or s3://bucket/prefix')
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
    .argument('<folder>', 'folder of a backup, or s3://bucket/prefix')
    .action(runRestore);
}

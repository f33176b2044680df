/** `upgrade --check`: says what this version changes in stored data, how long, and the way back. */

import type { Command } from 'commander';
import packageJson from '../../../package.json' with { type: 'json' };
import { settingsFromEnv } from '../../base/config/config.ts';
import { UsageError } from '../../base/errors.ts';
import { process } from '../../base/world/process.ts';
import { createOutput, tableLines } from '../output.ts';
import { type UpgradePart, upgradeParts } from './parts.ts';

/** Exit code if the first write upgrades something. */
const EXIT_UPGRADES = 3;

interface UpgradeReport {
  version: string;
  parts: UpgradePart[];
  /** Estimate for all parts together. */
  seconds: number;
  /** True if the older version can use the data again without a backup. */
  canGoBack: boolean;
}

async function check(options: { check?: boolean; json?: boolean }): Promise<void> {
  if (!options.check) {
    throw new UsageError(
      'upgrade needs --check: the first command that writes upgrades the data by itself',
    );
  }
  const { version } = packageJson;
  const parts = await upgradeParts(settingsFromEnv(process.env));
  const upgraded = parts.filter(({ state }) => state === 'upgraded');
  const seconds = upgraded.reduce((sum, part) => sum + part.seconds, 0);
  const canGoBack = upgraded.every((part) => part.canGoBack);
  const report: UpgradeReport = { version, parts, seconds, canGoBack };
  createOutput(options.json).result(report, [
    ...tableLines(parts.map(({ part, state, detail }) => [state, part, detail])),
    verdict(report),
  ]);
  if (parts.some(({ state }) => state === 'refused' || state === 'unknown')) process.exitCode = 1;
  else if (upgraded.length > 0) process.exitCode = EXIT_UPGRADES;
}

function verdict({ version, parts, seconds, canGoBack }: UpgradeReport): string {
  if (parts.some(({ state }) => state === 'refused')) {
    return `Tapeworks ${version} cannot use this data.`;
  }
  if (parts.some(({ state }) => state === 'unknown')) return 'Not all parts could be read.';
  if (canGoBack && seconds === 0) {
    return `Tapeworks ${version} changes nothing: it runs next to the older version, and you can go back.`;
  }
  if (canGoBack) {
    return (
      `The first connection of Tapeworks ${version} upgrades the accounts in Postgres, in some ` +
      `${seconds} s. The older version can use them then: both run side by side, and you can go back.`
    );
  }
  return (
    `The first write of Tapeworks ${version} upgrades the data, in some ${seconds} s. The older ` +
    'version refuses it then: the way back is a backup, so make one first (tapeworks backup).'
  );
}

export function registerUpgrade(program: Command): void {
  program
    .command('upgrade')
    .description('say what this version changes in the data of an older one')
    .option('--check', 'only say it; the first command that writes upgrades')
    .action(check);
}

/** `settings`: lists all environment variables. Prints no values, as some are keys. */

import type { Command } from 'commander';
import { CLIENT_SETTING_NAMES, SETTING_NAMES, settingDefault } from '../base/config/config.ts';
import { S3_SETTING_NAMES } from '../base/config/object-place.ts';
import { process } from '../base/world/process.ts';
import { createOutput, tableLines } from './output.ts';

function listSettings({ json }: { json?: boolean }): void {
  const names = [...SETTING_NAMES, ...S3_SETTING_NAMES, ...CLIENT_SETTING_NAMES];
  const report = names.map((name) => ({
    name,
    isSet: process.env[name] !== undefined,
    default: settingDefault(name) ?? null,
  }));
  const rows = report.map((setting) => [
    setting.name,
    setting.isSet ? 'set' : '-',
    setting.default ?? '-',
  ]);
  createOutput(json).result(report, tableLines([['SETTING', 'NOW', 'DEFAULT'], ...rows]));
}

export function registerSettings(program: Command): void {
  program
    .command('settings')
    .description('list all settings (environment variables) and their defaults')
    .action(listSettings);
}

import type { Settings } from '../../base/config/config.ts';
import { SOURCE_ROWS } from '../../base/sources.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { keyParts } from '../http/host.ts';
import { requireContact } from '../vendors/shared/sec.ts';
import { vendors } from '../vendors/vendors.ts';

function needsOf(source: string) {
  return SOURCE_ROWS.find(({ id }) => id === source)?.needs ?? 'nothing';
}

/** Returns true if a source needs neither a key nor a contact. */
export function needsNoSetting(source: string): boolean {
  return needsOf(source) === 'nothing';
}

/** Returns the setting that a source lacks to be asked over the network; undefined: none. */
export function missingSetting(
  source: string,
  { contact, vendorKeys }: Pick<Settings, 'contact' | 'vendorKeys'>,
): string | undefined {
  const needs = needsOf(source);
  if (needs === 'contact') return contact ? undefined : 'TAPEWORKS_CONTACT';
  const name = source.toUpperCase();
  return needs === 'key' && !(name in vendorKeys) ? `TAPEWORKS_${name}_KEY` : undefined;
}

/**
 * Checks, before anything is queued, that a source can be asked.
 * @throws {ConfigError} a key or the contact is missing; names the setting.
 */
export function requireSettings(
  source: string,
  { path, paths = [] }: SourceOptions,
  settings: Settings,
): void {
  if (path !== undefined || paths.length > 0) return;
  const needs = needsOf(source);
  if (needs === 'contact') requireContact(settings);
  const host = vendors.find(({ id }) => id === source)?.host;
  if (needs === 'key' && host) keyParts(host, settings);
}

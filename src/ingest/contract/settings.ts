/** The settings that sources need before they can be asked. */

import { KEYED_VENDORS, type Settings } from '../../base/config/config.ts';
import { ConfigError } from '../../base/errors.ts';
import { keyParts } from '../http/vendor-key.ts';
import { vendors } from '../http/vendors.ts';
import type { SourceOptions } from './source-options.ts';

/** Sources that ask who calls instead of for a key. */
const CONTACT_SOURCES = ['sec', 'form4', 'symbols'];

type KeyedVendor = (typeof KEYED_VENDORS)[number];

/** The vendor whose key a source wants; undefined: it wants none. */
function keyedVendor(source: string): KeyedVendor | undefined {
  return KEYED_VENDORS.find((vendor) => vendor === source.toUpperCase());
}

/** Tells whether anybody can ask a source, without a key or a contact. */
export function needsNoSetting(source: string): boolean {
  return !keyedVendor(source) && !CONTACT_SOURCES.includes(source);
}

/** The contact or key that a source lacks to be asked over the network; undefined: none. */
export function missingSetting(
  source: string,
  { contact, vendorKeys }: Pick<Settings, 'contact' | 'vendorKeys'>,
): string | undefined {
  if (CONTACT_SOURCES.includes(source)) return contact ? undefined : 'TAPEWORKS_CONTACT';
  const vendor = keyedVendor(source);
  return vendor && !(vendor in vendorKeys) ? `TAPEWORKS_${vendor}_KEY` : undefined;
}

/**
 * Checks, before anything is queued, that a source can be asked. Files on disk need no settings.
 *
 * @throws {ConfigError} a key or the contact is missing; names the setting.
 */
export function requireSettings(
  source: string,
  { path, paths = [] }: SourceOptions,
  settings: Settings,
): void {
  if (path !== undefined || paths.length > 0) return;
  if (CONTACT_SOURCES.includes(source)) requireContact(settings);
  const vendor = keyedVendor(source);
  if (vendor) keyParts(vendors[vendor], settings);
}

/**
 * The contact that the SEC wants in every request.
 *
 * @throws {ConfigError} it is not set.
 */
export function requireContact({ contact }: Pick<Settings, 'contact'>): string {
  if (contact) return contact;
  throw new ConfigError(
    'The SEC needs to know who asks: set TAPEWORKS_CONTACT to your e-mail address',
  );
}

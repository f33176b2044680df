/** Parses addresses of object storage: a bucket of an S3-compatible store, or a folder. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../errors.ts';
import { process } from '../world/process.ts';
import { httpAddress, parsed } from './values.ts';

export type ObjectPlace =
  /** `prefix` is empty or ends with a slash. */
  { kind: 's3'; bucket: string; prefix: string } | { kind: 'file'; folder: string };

/** Access to an S3-compatible store, by the standard variables of AWS. */
export interface S3Access {
  /** Address of the store, without a slash at its end. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

/** Variables that `s3Access` reads, which belong to AWS. */
export const S3_SETTING_NAMES: readonly string[] = [
  'AWS_ENDPOINT_URL_S3',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
];

/** Bucket and prefix need no escapes in a path. */
const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.=-]+)*)\/?$/;

/**
 * Parses `s3://bucket/prefix` or `file:///folder`.
 *
 * @param name Setting or argument, for messages.
 * @throws {ConfigError}
 */
export function objectPlace(name: string, address: string): ObjectPlace {
  const text = address.trim();
  const [, bucket, path] = S3_ADDRESS.exec(text) ?? [];
  if (bucket !== undefined && !path.split('/').includes('..')) {
    return { kind: 's3', bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
  }
  if (/^file:\/\/\/./.test(text) && URL.canParse(text)) {
    return { kind: 'file', folder: join(fileURLToPath(text), '.') };
  }
  throw new ConfigError(
    `${name} must be an address like s3://bucket/prefix (the bucket: 3 to 63 of a-z, 0-9, "." and ` +
      `"-"; the prefix: letters, digits and "_.=-") or file:///shared/folder, got "${text}"`,
  );
}

export const SNAPSHOTS_SETTING = 'TAPEWORKS_SNAPSHOTS_URL';

/**
 * Returns the place of uploaded versions; undefined without one. Jobs know their folder, not the
 * settings, so it comes from the environment.
 */
export function snapshotsPlace(): ObjectPlace | undefined {
  const address = process.env[SNAPSHOTS_SETTING]?.trim();
  return address ? objectPlace(SNAPSHOTS_SETTING, address) : undefined;
}

/** Returns the place of a folder below another place. */
export function placeBelow(place: ObjectPlace, name: string): ObjectPlace {
  return place.kind === 's3'
    ? { ...place, prefix: `${place.prefix}${name}/` }
    : { ...place, folder: join(place.folder, name) };
}

/** Returns the address of a place for messages. */
export function placeText(place: ObjectPlace): string {
  return place.kind === 's3' ? `s3://${place.bucket}/${place.prefix}` : `${place.folder}/`;
}

/**
 * Reads the access to the store of an `s3:` address. No message holds a key.
 *
 * @throws {ConfigError} a key is missing, or the endpoint is not an address.
 */
export function s3Access(name: string, env: NodeJS.ProcessEnv): S3Access {
  const given = (variable: string) => env[variable]?.trim() || undefined;
  const accessKeyId = given('AWS_ACCESS_KEY_ID');
  const secretAccessKey = given('AWS_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(
      `${name} names an S3 bucket, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  const region = given('AWS_REGION') ?? 'us-east-1';
  const endpoint = given('AWS_ENDPOINT_URL_S3') ?? `https://s3.${region}.amazonaws.com`;
  parsed('AWS_ENDPOINT_URL_S3', endpoint, httpAddress);
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: given('AWS_SESSION_TOKEN'),
  };
}

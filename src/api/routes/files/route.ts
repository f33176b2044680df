/** `GET /svc/files`, the list of Parquet files, and `GET /svc/files/{version}/{name}`, one of them. */

import { z } from 'zod';
import { CorruptDataError, HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { closeSync, openSync, readSync, statSync } from '../../../base/world/files.ts';
import {
  FILE_DATASETS,
  FILE_SCOPES,
  type FileDataset,
  requestedName,
} from '../../../store/parquet/file-sets.ts';
import { charge } from '../../access/admission.ts';
import { versionOf } from '../../access/file-links.ts';
import type { Route } from '../../contract/route.ts';
import { originOf } from '../../http/error-response.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import { formatField } from '../../http/query-fields.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { jsonResponse, NO_STORE } from '../../http/response.ts';
import { createPool } from '../../responses/pool.ts';
import { tableFromRows } from '../../responses/record-pages.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { type ByteRange, requestedRange } from './range.ts';
import { filePath, fileSchema, filesExample, filesSchema } from './schema.ts';

const parameters = z.strictObject({ format: formatField.optional() });
const parsedQuery = queryParser(parameters, FORMATS);

/** Responses of files of this thread. */
const pool = createPool('responses of files', limits.files.streamsMax);

const others = FILE_DATASETS.filter((name) => FILE_SCOPES[name] !== 'quotes:read');
const OTHER_SCOPES = others
  .map((name) => `\`${name}\``)
  .join(', ')
  .replace(/, ([^,]+)$/, ' and $1');

const ON_THEIR_WAY = 'The files are on their way to this server: try again in some seconds';
const RETRY = ['Retry-After', '5'];

function isAllowed({ key }: AdmittedContext, dataset: FileDataset): boolean {
  return key.scopes.has(FILE_SCOPES[dataset]);
}

const list: Route = {
  template: '/svc/files',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'listFiles',
    tag: 'Files',
    summary: 'List files',
    description:
      'Whole datasets as Parquet files that DuckDB, polars, pandas, pyarrow and ClickHouse read ' +
      'where they are. Made in the background after a publish: daily bars by year, bars below a ' +
      'day by month, all as stored, with the factors that adjust them in `adjustments`.\n\n' +
      'Each `url` is signed: it needs no header, and reads as the key of this request until the ' +
      'end of the next day in UTC. Treat it as you treat the key.',
    query: parameters,
    response: filesSchema,
    formats: FORMATS,
    examples: [filesExample],
  },
  respond(context, { files, links }) {
    const { key, query, headers } = context;
    const { format } = parsedQuery(query, headers.accept);
    const [set] = files[key.mode].sets();
    if (!set && files[key.mode].isAwaited()) throw new HttpError(503, ON_THEIR_WAY, RETRY);
    const allowed = set?.files.filter(({ dataset }) => isAllowed(context, dataset)) ?? [];
    const base = set && `${originOf(headers)}/v1/svc/files/${links.signed(set.version, key.id)}`;
    const data = allowed.map(({ name: _name, sha256: _hash, bytes, ...part }) => ({
      ...part,
      url: `${base}/${requestedName(part)}`,
      bytes,
      version: set.version,
    }));
    if (format === 'json') return jsonResponse(200, { data }, NO_STORE);
    return tableResponse(tableFromRows(data, fileSchema), format, NO_STORE);
  },
};

const file: Route = {
  template: '/svc/files/{version}/{name}',
  access: { scope: 'quotes:read', tokens: 1, isFile: true },
  contract: {
    operationId: 'getFile',
    tag: 'Files',
    summary: 'Download a file',
    description:
      'The bytes of a file, which never change, or one range of them. A signed `url` of the list ' +
      'needs no key; a bare version in its place needs one. Each request counts once, ' +
      'and costs a token for each started 8 MiB. A key may send 20 times as many of these ' +
      `requests as of all others, which they do not count with. ${OTHER_SCOPES} need their scope too.`,
    path: filePath,
    formats: ['parquet'],
    isTagged: true,
    isRanged: true,
    headers: ['Accept-Ranges', 'Last-Modified'],
    errors: {
      404: 'Unknown file "2f-mfz4k1c0/candles-1d-1901.parquet": list the files again',
      503: '256 responses of files are in progress: try again later',
    },
    examples: [
      {
        title: 'Daily bars of a year',
        path: { version: '2f-mfz4k1c0', name: 'candles-1d-2025.parquet' },
      },
    ],
  },
  respond(context, { files }) {
    const { key, params, headers } = context;
    chosenFormat(undefined, headers.accept, ['parquet']);
    const { name: requested } = params;
    const version = versionOf(params.version);
    const found = files[key.mode].find(version, requested);
    const unknown = () => unknownFile(version, requested);
    if (!found && files[key.mode].isAwaited(version)) throw new HttpError(503, ON_THEIR_WAY, RETRY);
    if (!found) throw unknown();
    const { path } = found;
    const { dataset, bytes, name } = found.file;
    if (!isAllowed(context, dataset)) {
      throw new HttpError(403, `API key lacks the scope "${FILE_SCOPES[dataset]}" of the file`);
    }
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) throw unknown();
    if (stats.size !== bytes) throw new CorruptDataError(`"${path}" has not its ${bytes} bytes`);
    pool.check(key.account);
    const etag = `"${name.replace(/^.*-([0-9a-f]+)\.parquet$/, '$1')}"`;
    const lastModified = stats.mtime.toUTCString();
    const range = requestedRange(headers, { bytes, etag, lastModified });
    const { start, end } = range ?? { start: 0, end: bytes };
    charge(context, Math.max(1, Math.ceil((end - start) / limits.files.tokenBytes)));
    const lines = [
      ...['Cache-Control', 'private, max-age=86400, immutable'],
      ...['Accept-Ranges', 'bytes', 'Last-Modified', lastModified],
      ...(range ? ['Content-Range', `bytes ${start}-${end - 1}/${bytes}`] : []),
    ];
    return {
      status: range ? 206 : 200,
      contentType: CONTENT_TYPES.parquet,
      headers: lines,
      body: '',
      bodyBytes: end - start,
      pieces: pool.held(key.account, () => fileBytes(path, { start, end })),
      etag,
    };
  },
};

function unknownFile(version: string, name: string): HttpError {
  return new HttpError(404, `Unknown file ${quoted(`${version}/${name}`)}: list the files again`);
}

/** Reads a range in pieces of the same memory. */
function* fileBytes(path: string, { start, end }: ByteRange): Generator<Uint8Array> {
  const fd = openSync(path, 'r');
  try {
    const memory = Buffer.allocUnsafe(Math.min(limits.files.pieceBytes, end - start));
    for (let at = start; at < end; ) {
      const read = readSync(fd, memory, 0, Math.min(memory.length, end - at), at);
      if (read === 0) throw new CorruptDataError(`"${path}" ends before its ${end} bytes`);
      yield memory.subarray(0, read);
      at += read;
    }
  } finally {
    closeSync(fd);
  }
}

export const fileRoutes = [list, file];

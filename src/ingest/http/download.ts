import { MalformedInputError, SourceUnavailableError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { open, readFile, rename, rm, stat, writeFile } from '../../base/world/file-promises.ts';
import type { HttpClient, HttpRequest } from './client.ts';
import type { HttpResponse } from './response.ts';

export interface Download {
  request: HttpRequest;
  /** Appears whole; until then `<path>.part` and `<path>.mark` lie next to it. */
  path: string;
  onProgress?: (bytes: number, totalBytes: number | undefined) => void;
}

/** Validators of a part's content: without one the part can't be resumed. */
interface Mark {
  etag?: string;
  lastModified?: string;
}

interface Piece {
  bytes: number;
  totalBytes: number | undefined;
  /** True if the body ended early. */
  isBroken?: boolean;
  diskError?: unknown;
}

const PARTIAL = 206;
const NOT_MODIFIED = 304;
const RANGE_BEYOND_END = 416;

/**
 * Downloads a file, or the rest of it. A complete file is kept while the vendor says that it has
 * not changed. Tries go on as long as each brings bytes.
 * @throws {MalformedInputError} it is larger than `limits.http.downloadBytesMax`.
 * @throws {SourceUnavailableError} several tries in a row brought no byte.
 * @throws the system's error when the disk is full; the part stays.
 */
export async function download(
  http: Pick<HttpClient, 'exchange'>,
  { request, path, onProgress }: Download,
): Promise<void> {
  const part = `${path}.part`;
  if (await isUnchanged(http, request, path)) return;
  let barren = 0;
  while (barren < limits.http.triesMax) {
    const before = await sizeOf(part);
    const mark = before === 0 ? {} : await readMark(path);
    const validator = mark.etag ?? mark.lastModified;
    const isResumed = validator !== undefined;
    const headers = {
      ...request.headers,
      'accept-encoding': 'identity',
      ...(isResumed && { range: `bytes=${before}-`, 'if-range': validator }),
    };
    const readable = isResumed ? [PARTIAL, RANGE_BEYOND_END] : [];
    const responseMs = limits.http.downloadMs;
    const piece = await http.exchange({ ...request, headers, readable, responseMs }, (response) =>
      takePiece(response, { path, before, onProgress }),
    );
    const { bytes, totalBytes, isBroken, diskError } = piece;
    // Thrown here, because `exchange` would report it as a failure of the vendor.
    if (diskError !== undefined) throw diskError;
    if (!isBroken && (totalBytes === undefined || bytes === totalBytes)) {
      await rename(part, path);
      return;
    }
    barren = bytes > before ? 0 : barren + 1;
  }
  const { title } = request.host;
  throw new SourceUnavailableError(
    `${title} is not available: ${request.path} broke off ${limits.http.triesMax} times`,
  );
}

async function isUnchanged(
  http: Pick<HttpClient, 'exchange'>,
  request: HttpRequest,
  path: string,
): Promise<boolean> {
  if ((await sizeOf(path)) === 0) return false;
  const { etag, lastModified } = await readMark(path);
  if (etag === undefined && lastModified === undefined) return false;
  const headers = {
    ...request.headers,
    ...(etag === undefined
      ? { 'if-modified-since': lastModified ?? '' }
      : { 'if-none-match': etag }),
  };
  return http.exchange({ ...request, headers, readable: [NOT_MODIFIED] }, async (response) => {
    response.body.on('error', () => undefined).destroy();
    return response.status === NOT_MODIFIED;
  });
}

async function takePiece(
  { status, body, header }: HttpResponse,
  { path, before, onProgress }: Pick<Download, 'path' | 'onProgress'> & { before: number },
): Promise<Piece> {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(header('content-range') ?? '');
  const rangeTotal = range?.[2] === undefined ? undefined : Number(range[2]);
  const isRest = status === PARTIAL && Number(range?.[1]) === before;
  if (status === RANGE_BEYOND_END || (status === PARTIAL && !isRest)) {
    body.on('error', () => undefined).destroy();
    const isWhole = status === RANGE_BEYOND_END && rangeTotal === before;
    // The part is of other content: it starts again.
    if (!isWhole) await rm(`${path}.mark`, { force: true });
    return { bytes: before, totalBytes: isWhole ? before : -1 };
  }
  if (!isRest) await writeMark(path, header);
  const length = header('content-length');
  const totalBytes = isRest ? rangeTotal : length === undefined ? undefined : Number(length);
  if (totalBytes !== undefined && totalBytes > limits.http.downloadBytesMax) {
    body.on('error', () => undefined).destroy();
    throw tooLarge();
  }
  let bytes = isRest ? before : 0;
  const file = await open(`${path}.part`, isRest ? 'a' : 'w');
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await pieces.next().catch(() => undefined);
      if (next === undefined) return { bytes, totalBytes, isBroken: true };
      if (next.done) return { bytes, totalBytes };
      if (bytes + next.value.length > limits.http.downloadBytesMax) throw tooLarge();
      const written = await file
        .writeFile(next.value)
        .catch((diskError: unknown) => ({ diskError }));
      if (written) return { bytes, totalBytes, ...written };
      bytes += next.value.length;
      onProgress?.(bytes, totalBytes);
    }
  } finally {
    await file.close();
    body.destroy();
  }
}

function tooLarge(): MalformedInputError {
  return new MalformedInputError(`the file is larger than ${limits.http.downloadBytesMax} bytes`);
}

async function writeMark(path: string, header: HttpResponse['header']): Promise<void> {
  const etag = header('etag');
  // A weak one does not promise the same bytes.
  const mark: Mark = {
    etag: etag?.startsWith('W/') ? undefined : etag,
    lastModified: header('last-modified'),
  };
  await writeFile(`${path}.mark`, JSON.stringify(mark));
}

async function readMark(path: string): Promise<Mark> {
  try {
    return JSON.parse(await readFile(`${path}.mark`, 'utf8'));
  } catch {
    return {};
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

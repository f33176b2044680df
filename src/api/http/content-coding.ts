/** Chooses the content coding of an answer from `Accept-Encoding`. */

import { limits } from '../../base/limits/limits.ts';
import { wishesFrom } from './accept-list.ts';
import { CONTENT_TYPES } from './format.ts';

/** In order of preference where a client likes both: brotli is smaller and not slower. */
export const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

interface AcceptedCoding {
  /** Undefined: the plain form is liked better, or is all that is accepted. */
  coding: Coding | undefined;
  refusesPlain: boolean;
}

const PLAIN_ONLY: AcceptedCoding = { coding: undefined, refusesPlain: false };

/** Clients of a kind send the same text, so few are ever read. */
const known = new Map<string, AcceptedCoding>();

function acceptedCoding(header: string): AcceptedCoding {
  let accepted = known.get(header);
  if (!accepted) {
    accepted = readAccepted(header);
    const { entriesMax, charsMax } = limits.coding.remembered;
    if (known.size >= entriesMax) known.clear();
    if (header.length <= charsMax) known.set(header, accepted);
  }
  return accepted;
}

/** `x-gzip` is gzip's older name (RFC 9110, 8.4.1.3). */
function readAccepted(header: string): AcceptedCoding {
  const wishes = wishesFrom(header).map(({ name, quality }) => ({
    name: name === 'x-gzip' ? 'gzip' : name,
    quality,
  }));
  const qualityOf = (name: string) => wishes.find((wish) => wish.name === name)?.quality;
  const others = qualityOf('*');
  const ranked = CODINGS.map((coding) => ({ coding, quality: qualityOf(coding) ?? others ?? 0 }));
  const best = ranked.reduce((a, b) => (b.quality > a.quality ? b : a));
  // The plain form is always accepted unless it is refused by name or by a star.
  const refusesPlain = (qualityOf('identity') ?? others) === 0;
  const plainQuality = qualityOf('identity') ?? 0;
  const isLiked = best.quality > 0 && best.quality >= plainQuality;
  return { coding: isLiked ? best.coding : undefined, refusesPlain };
}

/** Whether any `Accept-Encoding` gives the answer another form: short ones gain nothing. */
export function isCodable({ bodyBytes }: { bodyBytes: number }): boolean {
  return bodyBytes >= limits.coding.bytesMin;
}

/**
 * The coding of an answer.
 *
 * Arrow is coded only for a client that refuses the plain form (`gzip, identity;q=0`): most
 * clients accept gzip unasked, and to them a file of numbers that is read in place is worth more.
 *
 * @param header `Accept-Encoding`. A client that accepts nothing there is gets the plain form.
 * @returns undefined: none.
 */
export function chosenCoding(
  { bodyBytes, contentType }: { bodyBytes: number; contentType: string },
  header: string | undefined,
): Coding | undefined {
  if (header === undefined || !isCodable({ bodyBytes })) return undefined;
  const { coding, refusesPlain } = header === '' ? PLAIN_ONLY : acceptedCoding(header);
  return contentType !== CONTENT_TYPES.arrow || refusesPlain ? coding : undefined;
}

/** The strong validator of a coded form, whose bytes are others than the plain form's. */
export function codedEtag(etag: string, coding: Coding | undefined): string {
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag;
}

/** Headers that keep browsers from taking an answer for something else, names and values in turn. */

export const SECURITY_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
];

/** Of answers that are data; pages bring a policy of their own. */
export const DATA_POLICY: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/**
 * The cookie and the word that go with it, which Yahoo wants of questions beyond charts.
 *
 * Two short requests; a page with a form of consent is never answered in the user's name.
 */

import { SourceBlockedError } from '../../../base/errors.ts';
import type { HttpClient, HttpRequest } from '../../http/client.ts';
import { vendor } from './vendor.ts';

/** To be added to a question. */
export type YahooCrumb = Required<Pick<HttpRequest, 'headers' | 'query' | 'secrets'>>;

/** As a browser says it; others are refused. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';

const NOT_FOUND = 404;

/**
 * @throws {SourceBlockedError} Yahoo gives none here.
 * @throws as `HttpClient.get`.
 */
export async function askYahooCrumb(http: Pick<HttpClient, 'get'>): Promise<YahooCrumb> {
  const headers = { 'user-agent': USER_AGENT };
  const front = { ...vendor.host, url: 'https://fc.yahoo.com' };
  // Nothing is there; the cookie comes with the refusal.
  const { cookies } = await http.get({ host: front, path: '/', headers, readable: [NOT_FOUND] });
  const cookie = cookies.map((one) => one.split(';', 1)[0]).join('; ');
  const asked = { host: vendor.host, path: '/v1/test/getcrumb' };
  const { text } = await http.get({ ...asked, headers: { ...headers, cookie } });
  if (cookie === '' || !/^[!-~]{1,64}$/.test(text) || text.startsWith('<')) {
    throw new SourceBlockedError('Yahoo refuses: it gives no cookie and crumb to this machine');
  }
  return { headers: { ...headers, cookie }, query: { crumb: text }, secrets: [text] };
}

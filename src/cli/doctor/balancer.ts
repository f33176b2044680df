/** `doctor --balancer`: checks what a load balancer passes on to the servers behind it. */

import { BALANCER_PATH, type BalancerReport } from '../../api/operator/balancer.ts';
import type { Settings } from '../../base/config/config.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type Check, checked } from './setup.ts';

/**
 * Requests a response that its server cuts.
 *
 * @param address Address of the balancer as clients have it.
 */
export function checkBalancer(
  address: string,
  { operatorToken }: Pick<Settings, 'operatorToken'>,
): Promise<Check> {
  return checked('load balancer', async () => {
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new TapeworksError(`--balancer must be an http or https address, got "${address}"`);
    }
    if (operatorToken === undefined) {
      throw new TapeworksError('--balancer needs TAPEWORKS_ADMIN_TOKEN, as its servers have it');
    }
    const { origin } = new URL(address);
    const { text, isCut } = await cutResponse(origin, operatorToken);
    const faults = faultsOf(JSON.parse(text.split('\n')[0]), isCut, origin);
    if (faults.length > 0) throw new TapeworksError(`${origin}: ${faults.join('; ')}`);
    return origin;
  });
}

/** Returns what arrived of the response, and true if its end is seen to be missing. */
async function cutResponse(
  origin: string,
  token: string,
): Promise<{ text: string; isCut: boolean }> {
  const unreachable = (cause: unknown) =>
    new TapeworksError(`${origin} can't be reached: ${reasonOf(cause)}`);
  const response = await fetch(origin + BALANCER_PATH, {
    headers: { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'identity' },
    signal: AbortSignal.timeout(limits.doctor.balancerMs),
  }).catch((error) => Promise.reject(unreachable(error)));
  if (!response.ok) {
    throw new TapeworksError(`${origin}${BALANCER_PATH} responds with ${response.status}`);
  }
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  } catch {
    return { text, isCut: true };
  }
  return { text, isCut: false };
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function faultsOf(report: BalancerReport, isCut: boolean, origin: string): string[] {
  const [{ protocol, host }, passed] = [new URL(origin), new URL(report.origin || 'http://none')];
  return [
    ...(report.httpVersion === '1.0'
      ? ['it speaks HTTP/1.0 to the server: set HTTP/1.1 (nginx: proxy_http_version 1.1)']
      : []),
    ...(isCut
      ? []
      : ['it passes on a cut response as a whole one: clients must compare X-SVC-Rows']),
    ...(passed.host === host
      ? []
      : [
          `it changes Host to "${passed.host}": pass it on (nginx: proxy_set_header Host $http_host)`,
        ]),
    ...(passed.protocol === protocol
      ? []
      : ['it does not set X-Forwarded-Proto to the scheme of the client, so links are wrong']),
  ];
}

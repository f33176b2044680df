/** `doctor --balancer`: checks what a load balancer passes on to the servers behind it. */

import { BALANCER_PATH, type BalancerReport, ROWS_HEADER } from '../../api/operator/balancer.ts';
import type { Settings } from '../../base/config/config.ts';
import { TapeworksError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import { timeoutSignal } from '../../base/world/clock.ts';
import { fetch } from '../../base/world/network.ts';
import { doctorLimits } from './limits.ts';
import { type Check, checked } from './setup.ts';

/** Characters that a message shows of what is no report. */
const SHOWN_CHARS = 80;

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
    const received = await cutResponse(origin, operatorToken);
    const faults = faultsOf(reportOf(received.text, origin), received, origin);
    if (faults.length > 0) throw new TapeworksError(`${origin}: ${faults.join('; ')}`);
    return origin;
  });
}

/** Response, as far as it arrived. */
interface Received {
  text: string;
  hasRows: boolean;
  /** True if its end is seen to be missing. */
  isCut: boolean;
}

async function cutResponse(origin: string, token: string): Promise<Received> {
  const unreachable = (cause: unknown) =>
    new TapeworksError(`${origin} can't be reached: ${reasonOf(cause)}`);
  const response = await fetch(origin + BALANCER_PATH, {
    headers: {
      Authorization: `Bearer ${token}`,
      'X-API-Key': 'doctor',
      'Accept-Encoding': 'identity',
    },
    redirect: 'manual',
    signal: timeoutSignal(doctorLimits.balancerMs),
  }).catch((error) => Promise.reject(unreachable(error)));
  if (!response.ok) {
    const target = response.headers.get('Location');
    const to = target === null ? '' : ` to ${quoted(target)}: give the address that clients use`;
    throw new TapeworksError(`${origin}${BALANCER_PATH} responds with ${response.status}${to}`);
  }
  const hasRows = response.headers.has(ROWS_HEADER);
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  } catch {
    return { text, hasRows, isCut: true };
  }
  return { text, hasRows, isCut: false };
}

/** @throws {TapeworksError} The response is not that of a server, or too little of it arrived. */
function reportOf(text: string, origin: string): BalancerReport {
  const end = text.indexOf('\n');
  try {
    if (end >= 0) return JSON.parse(text.slice(0, end)) as BalancerReport;
  } catch {
    // Said below.
  }
  const got = `${Buffer.byteLength(text)} bytes ${quoted(text.slice(0, SHOWN_CHARS))}`;
  throw new TapeworksError(
    `${origin}${BALANCER_PATH} returned ${got}, not the report of a server: it is another ` +
      'program, or it cuts responses',
  );
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function faultsOf(report: BalancerReport, { isCut, hasRows }: Received, origin: string): string[] {
  const [{ protocol, host }, passed] = [new URL(origin), new URL(report.origin || 'http://none')];
  return [
    ...(report.httpVersion === '1.0'
      ? ['it speaks HTTP/1.0 to the server: set HTTP/1.1 (nginx: proxy_http_version 1.1)']
      : []),
    ...(isCut
      ? []
      : ['it passes on a cut response as a whole one: clients must compare X-SVC-Rows']),
    ...(hasRows
      ? []
      : [`it drops the header ${ROWS_HEADER}: pass it on, since it shows clients a cut response`]),
    ...(report.hasKey ? [] : ['it drops the header X-API-Key: pass it on']),
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

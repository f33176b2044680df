/** Distinguishes public internet addresses from those of this machine and of private networks. */

import ipaddr from 'ipaddr.js';

/** All publicly routed IPv6 addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Addresses at which clouds give credentials to their own machines. */
const PLATFORM_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
].map((text) => ipaddr.parse(text).toString());

/** Returns true for a cloud's own addresses, which no webhook may reach. */
export function isPlatformAddress(text: string): boolean {
  // Turns mapped addresses into IPv4.
  return ipaddr.isValid(text) && PLATFORM_ADDRESSES.includes(ipaddr.process(text).toString());
}

/**
 * Returns true if an IP address is public: not private, loopback, link-local, shared (CGNAT),
 * multicast, unspecified or reserved. An IPv6 address that stands for an IPv4 one (mapped, NAT64,
 * 6to4, Teredo) is never public.
 *
 * @param text Address as resolvers and sockets write it, including a zone behind `%`; any other
 *   text is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isPlatformAddress(text)) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).range() === 'unicast';
  }
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return (
    address.zoneId === undefined &&
    address.match(GLOBAL_UNICAST) &&
    address.range() === 'unicast' &&
    !isIsatap(address)
  );
}

/** Returns true if the interface part holds an IPv4 address, under any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] & 0xfdff) === 0 && parts[5] === 0x5efe;
}

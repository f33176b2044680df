/** Addresses of the public internet, told from those of this machine and of private networks. */

import ipaddr from 'ipaddr.js';

/** All of IPv6 that is routed publicly. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses at which clouds give their own machines credentials and settings: AWS, Google, Azure
 * and others (link-local), AWS over IPv6, Alibaba, Azure's wire server, Oracle.
 */
const PLATFORM_ADDRESSES = [
  '169.254.169.254',
  '169.254.170.2',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
].map((text) => ipaddr.parse(text).toString());

/**
 * Whether an IP address is one of a cloud's platform. Nobody means a webhook to lead there, even
 * where private networks are meant.
 */
export function isPlatformAddress(text: string): boolean {
  // Makes IPv4 of what is mapped.
  return ipaddr.isValid(text) && PLATFORM_ADDRESSES.includes(ipaddr.process(text).toString());
}

/**
 * Whether an IP address is public: not private, loopback, link-local, shared (CGNAT), multicast,
 * unspecified or reserved, and not an IPv6 address that stands for an IPv4 one (mapped, NAT64,
 * 6to4, Teredo), whichever that is.
 *
 * @param text As resolvers and sockets write it, a zone behind `%` included; anything else is not
 *   public.
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

/** An IPv4 address in the interface part of any prefix (RFC 5214). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] & 0xfdff) === 0 && parts[5] === 0x5efe;
}

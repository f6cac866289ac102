import { isPublicAddress } from './public-address.ts'

/**
 * Whether a host name is `localhost` or below it, or an IP address that is not public. Other names are not looked up.
 * @param hostname in the form of `URL.hostname`: IPv4 as four decimal numbers, IPv6 in brackets and lower case
 */
export function isPrivateHost(hostname: string): boolean {
  const isAddress = hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
  if (isAddress) return !isPublicAddress(hostname.replace(/^\[|\]$/g, ''))
  return /(?:^|\.)localhost\.?$/.test(hostname)
}

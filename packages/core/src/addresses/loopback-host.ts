/**
 * Whether the host of a URL is this machine by its spelling alone: `localhost`, 127.0.0.0/8 or `::1`.
 * @param hostname in the form of `URL.hostname`, with or without brackets
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
}

/** Whether an IP address in its shortest form is one of this machine (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3). */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)
}

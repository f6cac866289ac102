const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Whether a text is an IP address, and of which version. An IPv6 address with a zone is none here. `node:net` is not everywhere. */
export function ipVersion(text: string): 4 | 6 | undefined {
  if (ipv4.test(text)) return 4
  return text.includes(':') && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`) ? 6 : undefined
}

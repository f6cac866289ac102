import { classifyUrl, type FetchRefusedReason } from '@genmount/guarded-fetch'

const words: Partial<Record<FetchRefusedReason, string>> = {
  address: 'must have a public address.',
  port: 'must have port 443, or a web port from 1024 on.',
}

/**
 * Says why webhooks must not be sent to a URL, judged by its text alone.
 * @param allowed the allowed hosts in lower case. @default every host
 * @returns the end of a sentence that begins with the name of the URL; `undefined` for a URL that is accepted
 */
export function receiverRefusal(url: URL, allowed: ReadonlySet<string> | undefined): string | undefined {
  const verdict = classifyUrl(url)
  if (!verdict.allowed)
    return words[verdict.refusal.reason] ?? 'must be a URL without user name and password.'
  return allowed && !allowed.has(url.hostname) ? 'has a host that this service sends nothing to.' : undefined
}

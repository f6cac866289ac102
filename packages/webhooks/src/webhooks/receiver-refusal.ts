import { isLoopbackHost } from '@genmount/core/addresses'
import { classifyUrl, type FetchRefusedReason } from '@genmount/guarded-fetch'

const words: Partial<Record<FetchRefusedReason, string>> = {
  address: 'must have a public address.',
  port: 'must have port 443, or a web port from 1024 on.',
}

/** Which receivers are accepted. */
export interface ReceiverRules {
  /** The allowed hosts in lower case. @default every host */
  readonly allowed?: ReadonlySet<string> | undefined
  /** Whether hosts of this machine are accepted, also with http. */
  readonly allowLoopback: boolean
}

/**
 * Says why webhooks must not be sent to a URL, judged by its text alone.
 * @returns the end of a sentence that begins with the name of the URL; `undefined` for a URL that is accepted
 */
export function receiverRefusal(url: URL, { allowed, allowLoopback }: ReceiverRules): string | undefined {
  const verdict = classifyUrl(url)
  const isLoopback = allowLoopback && isLoopbackHost(url.hostname)
  if (!verdict.allowed && !(isLoopback && verdict.refusal.reason === 'address')) {
    if (url.protocol === 'http:' && !isLoopback) return withoutHttps
    return words[verdict.refusal.reason] ?? 'must be a URL without user name and password.'
  }
  if (url.protocol !== 'https:' && !isLoopback) return withoutHttps
  return allowed && !allowed.has(url.hostname) ? 'has a host that this service sends nothing to.' : undefined
}

const withoutHttps = 'must be an https URL.'

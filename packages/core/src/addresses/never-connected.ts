/** How deep causes and lists of errors are followed. */
const maxDepth = 5

/**
 * How Node and Bun name the step that failed. Bun's `fetch` leaves the second one out, and before 1.4 it sent a POST again
 * when a kept connection broke, with an error about the second connection: its codes alone (`ConnectionRefused`,
 * `FailedToOpenSocket`, `ECONNREFUSED` without a step) prove nothing.
 */
const connecting = new Set<unknown>(['connect', 'getaddrinfo'])

/** Codes that come without a step, and only while a connection is being made. */
const neverConnected = new Set<unknown>([
  // undici, which Node's fetch is made of.
  'UND_ERR_CONNECT_TIMEOUT',
  // A proxy that does not lead to the vendor, on Node and Bun.
  'ERR_PROXY_TUNNEL',
  // Certificates that Node and Bun refuse before they send anything. Not ERR_TLS_CERT_ALTNAME_INVALID: a check of the app's
  // own may come later on Bun.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** What Node and Bun say when it is in no code. */
const neverConnectedWords = [
  /^Client network socket disconnected before secure TLS connection was established$/,
  /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/,
  // Bun 1.4 and later. A connection that breaks has other words with the same codes.
  /^E[A-Z]+: (Unable to connect\. Is the computer able to access the url\?|Was there a typo in the url or port\?)$/,
]

/** Deno's fetch has no codes, only words: what it was doing, and what the system said of it. */
const denoNeverConnected = /^error sending request for url \(\S*\): client error \(Connect\)/

/**
 * Whether an error proves that no connection was made, so that nothing of the request was sent. For a single POST through
 * `fetch`, with a Blob as its body on Deno, and on Node and Bun for one through `node:http` or `node:https` too. Everything
 * that could also be said of a request that was sent (a reset, a time-out, a socket that was closed) is `false`.
 *
 * Seen with Node 24.21, Deno 2.9.5 and Bun 1.4.5.
 */
export function isNeverConnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false
  // Deno's node:http sends a request again when a kept connection breaks, and then tells of the second connection only.
  if (denoNeverConnected.test(wordsOf(error)) || (!('Deno' in globalThis) && isByNodeOrBun(error)))
    return true
  const { errors } = error as { errors?: unknown }
  if (!Array.isArray(errors) || errors.length === 0) return isNeverConnected(error.cause, depth + 1)
  // One for each address of the host.
  return errors.every((each) => isNeverConnected(each, depth + 1))
}

function isByNodeOrBun(error: Error): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (syscall !== undefined) return typeof code === 'string' && connecting.has(syscall)
  return neverConnected.has(code) || neverConnectedWords.some((words) => words.test(wordsOf(error)))
}

/** What a process can run out of, in the words of the system. */
const shortages = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS'] as const

export type Shortage = (typeof shortages)[number]

const denoShortages: readonly (readonly [words: string, Shortage])[] = [
  ['Too many open files in system (', 'ENFILE'],
  ['Too many open files (', 'EMFILE'],
  ['Cannot allocate memory (', 'ENOMEM'],
  ['No buffer space available (', 'ENOBUFS'],
]

/**
 * Which of its means this process or its machine has run out of, by the error; `undefined` when the error does not tell.
 * That is independent of whether a request was sent: a provider may open a file after it. Bun does not always tell: without
 * a descriptor for its question to DNS it says that there is no such host.
 */
export function shortageIn(error: unknown, depth = 0): Shortage | undefined {
  if (!(error instanceof Error) || depth > maxDepth) return undefined
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  const named = shortages.find((shortage) => shortage === code) ?? inWordsOfDeno(error)
  if (named) return named
  for (const inner of [error.cause, ...(Array.isArray(errors) ? errors : [])]) {
    const found = shortageIn(inner, depth + 1)
    if (found) return found
  }
  return undefined
}

function inWordsOfDeno(error: Error): Shortage | undefined {
  const words = wordsOf(error)
  if (!denoNeverConnected.test(words)) return undefined
  return denoShortages.find(([said]) => words.includes(said))?.[1]
}

/** Whoever throws may have put anything there, what throws when it is read included. */
function wordsOf(error: Error): string {
  try {
    return String(error.message)
  } catch {
    return ''
  }
}

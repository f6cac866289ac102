/** How many levels of `cause` and `errors` are looked at. */
const maxDepth = 5

/**
 * The values of `syscall` on an error of Node or Bun that prove that no connection was made. Bun's `fetch` never sets
 * `getaddrinfo`. Bun's codes without a `syscall` (`ConnectionRefused`, `FailedToOpenSocket`, `ECONNREFUSED`) prove
 * nothing: before version 1.4, Bun sent a POST again when a kept connection broke, and its error was about the second
 * connection.
 */
const connecting = new Set<unknown>(['connect', 'getaddrinfo'])

/** Codes of errors that have no `syscall`, and occur only while a connection is being made. */
const neverConnected = new Set<unknown>([
  // From undici, on which Node's fetch is built.
  'UND_ERR_CONNECT_TIMEOUT',
  // A proxy does not lead to the vendor (Node and Bun).
  'ERR_PROXY_TUNNEL',
  // Node and Bun refuse these certificates before they send anything. ERR_TLS_CERT_ALTNAME_INVALID is left out, because
  // on Bun it may come from the app's own check, after something was sent.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Messages of errors of Node and Bun that prove the same and have neither a `syscall` nor a code of their own. */
const neverConnectedWords = [
  /^Client network socket disconnected before secure TLS connection was established$/,
  /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/,
  // Bun 1.4 and later. When a connection breaks, the code is the same and the message is another one.
  /^E[A-Z]+: (Unable to connect\. Is the computer able to access the url\?|Was there a typo in the url or port\?)$/,
]

/** Errors of Deno's fetch have no code. Their message says what Deno was doing and what the system answered. */
const denoNeverConnected = /^error sending request for url \(\S*\): client error \(Connect\)/

/**
 * Whether an error proves that no connection was made, so that nothing of the request was sent. `false` for every error
 * that a request could also end with after it was sent: a reset, a time-out, a closed socket. Holds for a single POST
 * through `fetch`, which must have a Blob as its body on Deno, and on Node and Bun also for one through `node:http` or
 * `node:https`.
 *
 * The codes and messages are those of Node 24.21, Deno 2.9.5 and Bun 1.4.5.
 */
export function isNeverConnected(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false
  // Deno's node:http sends a request again when a kept connection breaks, and its error is about the second connection
  // only.
  if (denoNeverConnected.test(wordsOf(error)) || (!('Deno' in globalThis) && isByNodeOrBun(error)))
    return true
  const { errors } = error as { errors?: unknown }
  if (!Array.isArray(errors) || errors.length === 0) return isNeverConnected(error.cause, depth + 1)
  // The host has several addresses, and there is one error for each of them.
  return errors.every((each) => isNeverConnected(each, depth + 1))
}

function isByNodeOrBun(error: Error): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (syscall !== undefined) return typeof code === 'string' && connecting.has(syscall)
  return neverConnected.has(code) || neverConnectedWords.some((words) => words.test(wordsOf(error)))
}

/** The codes with which a system says that a process has run out of file descriptors or memory. */
const shortages = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS'] as const

/** What this process or its machine has run out of, as the code of the system's error. */
export type Shortage = (typeof shortages)[number]

const denoShortages: readonly (readonly [words: string, Shortage])[] = [
  ['Too many open files in system (', 'ENFILE'],
  ['Too many open files (', 'EMFILE'],
  ['Cannot allocate memory (', 'ENOMEM'],
  ['No buffer space available (', 'ENOBUFS'],
]

/**
 * What this process or its machine has run out of, if the error shows such a shortage; otherwise `undefined`. A
 * shortage does not mean that no request was sent: a provider may open a file after its request. Bun does not show
 * every shortage: when it has no file descriptor for a DNS query, it says that the host does not exist.
 */
export function shortageIn(error: unknown, depth = 0): Shortage | undefined {
  if (!(error instanceof Error) || depth > maxDepth) return undefined
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  const named = shortages.find((shortage) => shortage === code) ?? inWordsOfDeno(error)
  if (named) return named
  for (const inner of [error.cause, ...(Array.isArray(errors) ? errors : [])]) {
    const shortage = shortageIn(inner, depth + 1)
    if (shortage) return shortage
  }
  return undefined
}

function inWordsOfDeno(error: Error): Shortage | undefined {
  const words = wordsOf(error)
  if (!denoNeverConnected.test(words)) return undefined
  return denoShortages.find(([said]) => words.includes(said))?.[1]
}

/**
 * The message of an error, as text. It may be any value, and reading it may throw, because a provider can throw
 * anything.
 */
function wordsOf(error: Error): string {
  try {
    return String(error.message)
  } catch {
    return ''
  }
}

import type { RequestListener } from 'node:http'

/** One answered request, as the access log has it. */
export interface AccessEntry {
  /** When the request came, in ISO 8601. */
  readonly time: string
  /** The id of the request, which the reply and the service's own log have too. */
  readonly request_id: string | undefined
  readonly method: string
  /** Without the query, and without what opens an output: both may be secret. */
  readonly path: string
  /** `null` if the client has gone before the reply began. */
  readonly status: number | null
  /** From the request to the end of its reply. */
  readonly duration_ms: number
  /** Whether the client has gone before it had the whole reply. */
  readonly is_aborted: boolean
}

/** What follows in these paths opens an output or an input, or proves that a callback is the vendor's. */
const secretPath = /^(.*\/v1\/(?:outputs|inputs|callbacks)\/).+$/

/** Calls `write` when a request is answered or its client is gone. */
export function withAccessLog(
  listener: RequestListener,
  write: (entry: AccessEntry) => void,
): RequestListener {
  return (req, res) => {
    const [time, startedAt] = [new Date().toISOString(), performance.now()]
    const [path = ''] = (req.url ?? '').split('?', 1)
    let requestId: string | undefined
    const writeHead = res.writeHead as (status: number, ...rest: unknown[]) => typeof res
    // Headers that are only given to `writeHead` can't be read from the response.
    res.writeHead = (status: number, ...rest: unknown[]) => {
      requestId = (rest.at(-1) as Readonly<Record<string, string>> | undefined)?.['x-request-id']
      return writeHead.call(res, status, ...rest)
    }
    res.once('close', () =>
      write({
        time,
        request_id: requestId,
        method: req.method ?? '',
        path: path.slice(0, 2000).replace(secretPath, '$1...'),
        status: res.headersSent ? res.statusCode : null,
        duration_ms: Math.round(performance.now() - startedAt),
        is_aborted: !res.writableFinished,
      }),
    )
    return listener(req, res)
  }
}

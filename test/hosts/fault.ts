import type { GenerationService } from '@genmount/core'
import type { V1Settings } from '@genmount/fetch-handler'

/** One thing that a server does wrong, as a change of a server that does it right. */
export interface Fault {
  /** What it does in place of a service that does it right. */
  readonly service?: (service: GenerationService) => Partial<GenerationService>
  readonly options?: V1Settings
  /** Changes the URL of each request. */
  readonly url?: (url: URL) => void
  /** Changes the headers of each request. */
  readonly headers?: (headers: Headers, request: Request) => void
  readonly request?: (request: Request) => Promise<Request>
  /** The values of headers that a reply has; with `null` it loses them. */
  readonly replyHeaders?: Readonly<Record<string, string | null>>
  readonly reply?: (reply: Response, request: Request) => Response | Promise<Response>
  /** Cases of the suite that must notice. */
  readonly caughtBy: readonly string[]
}

export function withStatus({ body, headers }: Response, status: number): Response {
  return new Response(body, { status, headers })
}

/** Changes the JSON of a reply; replies without a body of JSON stay as they are. */
export async function withJson(
  reply: Response,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): Promise<Response> {
  const { status, headers } = reply
  if (headers.get('content-type') !== 'application/json') return reply
  const text = await reply.text()
  headers.delete('content-length')
  const body = text === '' ? null : JSON.stringify(change(JSON.parse(text) as Record<string, unknown>))
  return new Response(body, { status, headers })
}

/** Takes a field out of each entry of the list that is in a reply. */
export function withoutField(reply: Response, field: string): Promise<Response> {
  return withJson(reply, ({ data, ...list }) => ({
    ...list,
    data: Array.isArray(data) ? data.map(({ [field]: _, ...entry }) => entry) : data,
  }))
}

/** The handler of a server that does right, with the fault in its requests and replies. */
export function withFault(
  handle: (request: Request) => Promise<Response>,
  fault: Fault,
): (request: Request) => Promise<Response> {
  return async (request) => {
    fault.headers?.(request.headers, request)
    const asked = (await fault.request?.(request)) ?? request
    const reply = await handle(fault.url ? withUrl(asked, fault.url) : asked)
    for (const [name, value] of Object.entries(fault.replyHeaders ?? {}))
      if (value === null) reply.headers.delete(name)
      else if (reply.headers.has(name)) reply.headers.set(name, value)
    return (await fault.reply?.(reply, request)) ?? reply
  }
}

function withUrl({ url, method, headers, body, signal }: Request, change: (url: URL) => void): Request {
  const changed = new URL(url)
  change(changed)
  return new Request(changed, {
    method,
    headers,
    body,
    signal,
    ...(body && { duplex: 'half' }),
  } as RequestInit)
}

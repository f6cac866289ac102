/** Copies a reply; headers that it does not have are not added, but for the request id. */
export function changed(
  reply: Response,
  { status = reply.status, headers = {} }: { status?: number; headers?: Record<string, string | null> },
): Response {
  const changedHeaders = new Headers(reply.headers)
  for (const [name, value] of Object.entries(headers))
    if (value === null) changedHeaders.delete(name)
    else if (name === 'x-request-id' || changedHeaders.has(name)) changedHeaders.set(name, value)
  return new Response(reply.body, { status, headers: changedHeaders })
}

/** Changes the JSON of a reply; replies without a body of JSON stay as they are. */
export async function withJson(
  reply: Response,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): Promise<Response> {
  if (reply.headers.get('content-type') !== 'application/json') return reply
  const text = await reply.text()
  const { status, headers } = changed(reply, { headers: {} })
  headers.delete('content-length')
  const body = text === '' ? null : JSON.stringify(change(JSON.parse(text) as Record<string, unknown>))
  return new Response(body, { status, headers })
}

export function withUrl(request: Request, change: (url: URL) => void): Request {
  const url = new URL(request.url)
  change(url)
  return copied(request, url, request.headers)
}

export function withHeaders(request: Request, change: (headers: Headers) => void): Request {
  const headers = new Headers(request.headers)
  change(headers)
  return copied(request, new URL(request.url), headers)
}

function copied({ method, body, signal }: Request, url: URL, headers: Headers): Request {
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: 'half' }) } as RequestInit)
}

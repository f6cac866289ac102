/** The codes of JSON-RPC 2.0, section 5.1. `-32000` is what servers of the protocol use for all else that is refused. */
const rpcCodes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    invalid_json: -32_700,
    invalid_request: -32_600,
    internal_error: -32_603,
  }),
)
const otherCode = -32_000

/**
 * Makes the response to a request that is refused before its message is read: an HTTP status, and a JSON-RPC error
 * without the id of a request, as the protocol's transport has it
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server).
 * @param code the code of the service, which is in the `data` of the error
 */
export function rpcRefusal(
  status: number,
  code: string,
  message: string,
  headers: HeadersInit = {},
): Response {
  const error = { code: rpcCodes.get(code) ?? otherCode, message, data: { code } }
  const all = new Headers({ 'cache-control': 'no-store', ...Object.fromEntries(new Headers(headers)) })
  all.set('content-type', 'application/json')
  return new Response(JSON.stringify({ jsonrpc: '2.0', error, id: null }), { status, headers: all })
}

/**
 * Turns a refusal of /v1, such as that of a rate limit, into one that clients of the protocol understand. 401 and 403
 * stay as they are: clients of the protocol read their status and their `WWW-Authenticate`.
 */
export async function refusalOfService(refusal: Response): Promise<Response> {
  const { status, headers } = refusal
  if (status === 401 || status === 403) return refusal
  const text = await refusal.text()
  try {
    const { error } = JSON.parse(text) as {
      readonly error: { readonly code: string; readonly message: string }
    }
    headers.delete('content-length')
    return rpcRefusal(status, error.code, error.message, headers)
  } catch {
    return new Response(text, { status, headers })
  }
}

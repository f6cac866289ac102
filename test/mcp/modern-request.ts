const version = '2026-07-28'

/** The headers and the body of a request of a client of the protocol's revision 2026-07-28. */
export function modernRequestParts(
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: object = {},
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const name = params['name'] ?? params['taskId'] ?? params['uri']
  const headers: Readonly<Record<string, string>> = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': String(name) }),
  }
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }) }
}

/** A request of a client of the protocol's revision 2026-07-28, as it looks on the wire. */
export function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
  url = 'http://app.test/mcp',
  capabilities: object = {},
): Request {
  const parts = modernRequestParts(method, params, capabilities)
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...parts.headers, ...headers },
    body: parts.body,
  })
}

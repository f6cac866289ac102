/** An HTTP/1 reply as it was read from the socket. */
export interface Reply {
  readonly status: number
  /** The status line and the header lines, unchanged. */
  readonly head: string
  /** The headers by their names in lower case. The values of a repeated header are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly text: string
}

/** Reads one whole reply from the start of `bytes`. @returns `undefined` while the reply is incomplete */
export function readReply(
  bytes: Buffer,
  hasEnded: boolean,
  isAnswerToHead: boolean,
): { readonly reply: Reply; readonly length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r|$)/.exec(head)?.[1])
  if (Number.isNaN(status)) throw new Error(`not an HTTP/1 reply: ${JSON.stringify(head.slice(0, 200))}`)
  const headers = readHeaders(head)
  const rest = bytes.subarray(headEnd + 4)
  const content =
    isAnswerToHead || status < 200 || status === 204 || status === 304
      ? { body: Buffer.alloc(0), length: 0 }
      : readBody(rest, headers, hasEnded)
  if (!content) return undefined
  const { body, length } = content
  return { reply: { status, head, headers, body, text: body.toString('utf8') }, length: headEnd + 4 + length }
}

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  }
  return headers
}

function readBody(bytes: Buffer, headers: ReadonlyMap<string, string>, hasEnded: boolean) {
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return readChunks(bytes)
  const declared = headers.get('content-length')
  if (declared === undefined) return hasEnded ? { body: bytes, length: bytes.length } : undefined
  const length = Number(declared)
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length }
}

function readChunks(bytes: Buffer): { body: Buffer; length: number } | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { body: Buffer.concat(parts), length: end + 2 }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}

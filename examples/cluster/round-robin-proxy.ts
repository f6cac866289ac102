import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'

/** How often each node is asked whether it takes requests, in milliseconds. */
const probeEveryMs = 250
/** How long a node may take to answer, in milliseconds. */
const probeLimitMs = 1000

/**
 * A small load balancer for one machine. It hands each request to the next node whose `/healthz` has answered 200. If
 * that node refuses the connection, the request goes to the node after it. A request that a node may have read is never
 * sent twice.
 * @param nodes the base URLs of the nodes
 */
export function roundRobinProxy(nodes: readonly string[]): Server {
  const ready = new Set<string>()
  let turn = 0

  async function probe(node: string): Promise<void> {
    const answer = await fetch(`${node}/healthz`, { signal: AbortSignal.timeout(probeLimitMs) }).catch(
      () => undefined,
    )
    if (answer?.ok) ready.add(node)
    else ready.delete(node)
  }

  function nextNode(tried: ReadonlySet<string>): string | undefined {
    const left = nodes.filter((node) => ready.has(node) && !tried.has(node))
    return left[turn++ % left.length]
  }

  function pass(incoming: IncomingMessage, answer: ServerResponse, tried: ReadonlySet<string>): void {
    const node = nextNode(tried)
    if (!node) return refuse(answer, 503)
    const { method, headers, url = '/' } = incoming
    const outgoing = request(new URL(url, node), { method, headers, agent: false }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
      reply.on('error', () => answer.destroy())
    })
    outgoing.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'ECONNREFUSED') return refuse(answer, 502)
      ready.delete(node)
      incoming.unpipe(outgoing)
      pass(incoming, answer, new Set([...tried, node]))
    })
    // The proxy reads the body only after a node has accepted the connection, so the next node can still get all of it.
    outgoing.on('socket', (socket) => socket.once('connect', () => incoming.pipe(outgoing)))
    answer.on('close', () => outgoing.destroy())
  }

  const server = createServer((incoming, answer) => pass(incoming, answer, new Set()))
  const probes = setInterval(() => nodes.forEach(probe), probeEveryMs)
  server.on('close', () => clearInterval(probes))
  return server
}

function refuse(answer: ServerResponse, status: number): void {
  if (answer.headersSent) return void answer.destroy()
  answer.writeHead(status, { 'retry-after': '1' }).end()
}

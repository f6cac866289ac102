import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type LoopbackDns = Awaited<ReturnType<typeof loopbackDns>>

const responseFlags = 0x8180
const unknownName = 3
const typeA = 1

/**
 * A DNS server on loopback that remembers what it is asked.
 * @param names their IPv4 addresses; with none the name has no address of any kind; `unknown` is answered with NXDOMAIN.
 * Of any other name the server never says a word.
 */
export async function loopbackDns(names: Readonly<Record<string, readonly string[] | 'unknown'>>) {
  const queried = new Set<string>()
  const socket = createSocket('udp4')
  let wake = () => {}
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    queried.add(name)
    wake()
    const answer = names[name]
    if (answer === undefined) return
    const addresses = answer !== 'unknown' && type === typeA ? answer : []
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(responseFlags | (answer === 'unknown' ? unknownName : 0), 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((text) =>
      // The name of the question, type A, class IN, one second to live, four bytes.
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...text.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, ...records]), port, address)
  })
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  return {
    /** As `address:port`. */
    server: `127.0.0.1:${socket.address().port}`,
    /** Every name that it was asked for, once. */
    queried: queried as ReadonlySet<string>,
    /** Resolves when so many names have been asked for. */
    async untilQueried(count: number) {
      while (queried.size < count) await new Promise<void>((resolve) => (wake = resolve))
    },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

import { connect } from 'node:net'
import { readReply, type Reply } from './reply.ts'

/** One TCP connection to the server under test. A case can write anything to it, including malformed requests. */
export interface Connection {
  write(bytes: string | Uint8Array): void
  /** Closes the sending direction, so that the server sees the end of the request. */
  end(): void
  /**
   * The next final reply, or `undefined` when the server closes without one. Interim replies (1xx) are
   * skipped.
   */
  next(options?: { readonly head?: boolean }): Promise<Reply | undefined>
  /**
   * Resolves when a `100 Continue` has arrived, a final reply has begun, or `withinMs` milliseconds are over.
   */
  continued(withinMs: number): Promise<void>
  /** Resolves with the first bytes of a reply. */
  begun(): Promise<void>
  /** Resolves with what has arrived as soon as it matches, although the reply may not be complete. */
  arrived(pattern: RegExp): Promise<string>
  /** Whether the server has closed the connection, or closes it within `withinMs` milliseconds. */
  closed(withinMs: number): Promise<boolean>
  destroy(): void
}

const answerWithinMs = 8_000

/** Opens a connection. @param inspect is called with each reply before the case gets it */
export function openConnection(origin: URL, inspect: (reply: Reply) => void): Connection {
  const socket = connect({ host: origin.hostname, port: Number(origin.port) })
  let room: Buffer = Buffer.alloc(0)
  let received = room
  let interim = 0
  let hasEnded = false
  let refused: Error | undefined
  let wake = () => {}

  socket.on('data', (chunk) => {
    append(chunk)
    wake()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') refused = error
  })
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      hasEnded = true
      wake()
    })

  /** The room doubles when it is full, so that a reply of megabytes is not copied again with each chunk. */
  function append(chunk: Buffer): void {
    const length = received.length + chunk.length
    let start = received.byteOffset - room.byteOffset
    if (start + length > room.length) {
      room = Buffer.allocUnsafeSlow(2 * length)
      start = 0
      received.copy(room)
    }
    chunk.copy(room, start + received.length)
    received = room.subarray(start, start + length)
  }

  /** Waits until `look` finds something. @returns what it found, or `undefined` when the time is over */
  async function until<T>(look: () => T | undefined, withinMs: number): Promise<T | undefined> {
    const giveUpAt = Date.now() + withinMs
    for (;;) {
      const text = look()
      if (text !== undefined) return text
      const leftMs = giveUpAt - Date.now()
      if (leftMs <= 0) return undefined
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  function takeInterim(head: boolean): void {
    for (let text = readReply(received, hasEnded, head); text;) {
      if (text.reply.status >= 200) return
      interim += 1
      received = received.subarray(text.length)
      text = readReply(received, hasEnded, head)
    }
  }

  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    async next({ head = false } = {}) {
      const outcome = await until(() => {
        takeInterim(head)
        return readReply(received, hasEnded, head) ?? (hasEnded ? 'closed' : undefined)
      }, answerWithinMs)
      if (refused) throw refused
      if (outcome === undefined) throw new Error(`no whole answer within ${answerWithinMs} ms`)
      if (outcome === 'closed') return undefined
      received = received.subarray(outcome.length)
      inspect(outcome.reply)
      return outcome.reply
    },
    async continued(withinMs) {
      await until(() => {
        takeInterim(false)
        return interim > 0 || received.length > 0 || hasEnded || undefined
      }, withinMs)
    },
    begun: async () => void (await until(() => received.length > 0 || undefined, answerWithinMs)),
    async arrived(pattern) {
      const text = () => received.toString('utf8')
      const match = await until(() => (pattern.test(text()) || hasEnded ? text() : undefined), answerWithinMs)
      if (match !== undefined && pattern.test(match)) return match
      throw new Error(`nothing like ${pattern} has arrived, only ${JSON.stringify(text())}`)
    },
    closed: async (withinMs) => (await until(() => hasEnded || undefined, withinMs)) === true,
    destroy: () => void socket.destroy(),
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/**
 * Starts a proxy before a server, which a test can put into trouble. It goes with the test.
 * @param onFinished that of the context, in `test.concurrent`
 */
export async function startTcpProxy(target: number, onFinished = onTestFinished) {
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let isFrozen = false
  let isCut = false
  let delayMs = 0

  function pass(from: Socket, to: Socket): void {
    sockets.add(from)
    const send = (run: () => void) => {
      const now = () => (isFrozen ? void held.push(run) : run())
      if (delayMs > 0) setTimeout(now, delayMs)
      else now()
    }
    from.on('data', (chunk) => send(() => void (to.writable && to.write(chunk))))
    from.on('end', () => send(() => void to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      send(() => void to.destroy())
    })
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (isCut) return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1')
    pass(near, far)
    pass(far, near)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cutAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  onFinished(() => {
    server.close()
    cutAll()
  })
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes nothing on, in both directions, and keeps the connections open. `false` passes on what has come meanwhile. */
    freeze(frozen: boolean) {
      isFrozen = frozen
      if (!frozen) for (const run of held.splice(0)) run()
    },
    /** Passes nothing on over the connections that are open now, for ever, and keeps them open. Later ones work. */
    freezeOpenOnes() {
      for (const socket of sockets) socket.pause()
    },
    /** Passes everything on this many milliseconds late, in both directions. */
    delay: (ms: number) => void (delayMs = ms),
    /** Resets all connections, and refuses new ones until told otherwise. */
    cut(toBeCut: boolean) {
      isCut = toBeCut
      if (toBeCut) cutAll()
    },
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy for TCP connections. Those that are open can be made half-open: they stay open and carry nothing any more. */
export async function tcpProxy(port: number): Promise<{ readonly port: number; freezeOpenOnes(): void }> {
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
    sockets.push(near, far)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    freezeOpenOnes() {
      for (const socket of sockets) socket.unpipe().pause()
    },
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { createWebSocketStream, WebSocketServer } from 'ws'

/**
 * Starts a proxy that takes WebSockets and speaks TCP with the server that `?address=host:port` names: each message is a piece
 * of the stream, in both directions, as at https://github.com/neondatabase/wsproxy. Drivers for hosts without TCP connect
 * through such a proxy. It goes with the test.
 * @returns the address of the proxy, as `neonConfig.wsProxy` takes it
 */
export async function startWebSocketProxy(onFinished = onTestFinished): Promise<string> {
  const proxy = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  proxy.on('connection', (socket, { url = '' }) => {
    const target = new URL(`tcp://${new URL(url, 'ws://proxy').searchParams.get('address')}`)
    const near = createWebSocketStream(socket)
    const far = connect(Number(target.port), target.hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  await once(proxy, 'listening')
  onFinished(() => {
    for (const socket of proxy.clients) socket.terminate()
    proxy.close()
  })
  return `127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`
}

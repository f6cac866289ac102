import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

const info = 'redis_version:7.2.0\r\n'

/** A Redis that lets each connection become ready, and then answers no further command. @returns its port */
export async function startMuteRedis(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let isMute = false
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const command of String(data).split(/(?=\*\d+\r\n)/)) {
        if (isMute) return
        // ioredis asks for INFO to see whether Redis is ready.
        isMute = /\r\ninfo\r\n/i.test(command)
        socket.write(isMute ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

const info = 'redis_version:7.2.0\r\n'

/**
 * A Redis that lets each connection become ready, and then answers no further command.
 * @param infos how many times a connection with a name, by which BullMQ waits for jobs, gets an answer to INFO. Twice
 * is enough for BullMQ to begin to wait
 * @returns the port
 */
export async function startMuteRedis(infos: number, onFinished = onTestFinished): Promise<number> {
  const server = createServer((socket) => {
    let infosLeft = 1
    socket.on('error', () => {})
    socket.on('data', (data) => {
      for (const command of String(data).split(/(?=\*\d+\r\n)/)) {
        if (infosLeft === 0) return
        if (/\r\nsetname\r\n/i.test(command)) infosLeft = infos
        // ioredis asks for INFO to see whether Redis is ready.
        const isInfo = /\r\ninfo\r\n/i.test(command)
        if (isInfo) infosLeft--
        socket.write(isInfo ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n')
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Its connections end with the process of the node.
  onFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

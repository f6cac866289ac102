import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { exampleBody } from '../workload.ts'

const headers = 'host: bench\r\nauthorization: Bearer key\r\n'
const body = JSON.stringify(exampleBody)
const oneRead = `GET /v1/jobs/none HTTP/1.1\r\n${headers}\r\n`

/** The requests that are held: creates that wait for their job, and requests for the events of a job. */
export const heldRequests = {
  wait: () =>
    `POST /v1/generate?wait=true HTTP/1.1\r\n${headers}content-type: application/json\r\nidempotency-key: k\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`,
  listen: (jobId: string) => `GET /v1/jobs/${jobId}/events HTTP/1.1\r\n${headers}\r\n`,
}

/** How many connections are opened at the same time. */
const batch = 200

/** Opens connections. Each has sent one request, has its answer, and stays open. */
export async function connectClients(port: number, count: number) {
  const answers = { received: 0, finished: 0, lastAt: 0 }
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(oneRead)
    await once(socket, 'data')
    socket.on('error', () => {})
    return socket.on('data', (reply: Buffer) => {
      answers.received++
      if (reply.subarray(9, 12).toString() === '200') answers.finished++
      answers.lastAt = Date.now()
    })
  }
  while (sockets.length < count) {
    const missing = Math.min(batch, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: missing }, open))))
  }
  return {
    answers,
    async send(request: string) {
      for (const [index, socket] of sockets.entries()) {
        socket.write(request)
        if (index % batch === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    disconnect() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

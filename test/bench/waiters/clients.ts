import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { serveParent } from './child-process.ts'
import { type Answers, type ClientTask, waitingBody } from './waiters-protocol.ts'

/** A process with ten thousand clients, each on its own connection. */

const headers = 'host: bench\r\nauthorization: Bearer key\r\n'
const ask = `GET /v1/jobs/none HTTP/1.1\r\n${headers}\r\n`
const wait =
  `POST /v1/generate?wait=true HTTP/1.1\r\n${headers}content-type: application/json\r\nidempotency-key: k\r\n` +
  `content-length: ${waitingBody.length}\r\n\r\n${waitingBody}`

/** How many connections are opened at the same time. */
const batch = 200

let sockets: Socket[] = []
let answered = 0
let finished = 0
let lastAt = 0

async function connectIdle(port: number, count: number): Promise<void> {
  sockets = []
  answered = finished = 0
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(batch, count - sockets.length) }, () =>
      connect(port, '127.0.0.1'),
    )
    await Promise.all(
      some.map(async (socket) => {
        await once(socket, 'connect')
        socket.write(ask)
        await once(socket, 'data')
        socket.on('error', () => {})
        socket.on('data', (reply: Buffer) => {
          answered++
          if (reply.subarray(9, 12).toString() === '200') finished++
          lastAt = Date.now()
        })
      }),
    )
    sockets.push(...some)
  }
}

async function sendAll(request: string): Promise<void> {
  for (const [index, socket] of sockets.entries()) {
    socket.write(request)
    if (index % batch === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

serveParent(async (question: ClientTask): Promise<Answers> => {
  if (question.task === 'idle') await connectIdle(question.port, question.count)
  if (question.task === 'wait') await sendAll(wait)
  if (question.task === 'listen')
    await sendAll(`GET /v1/jobs/${question.jobId}/events HTTP/1.1\r\n${headers}\r\n`)
  if (question.task === 'vanish') for (const socket of sockets) socket.destroy()
  return { answered, finished, lastAt }
})

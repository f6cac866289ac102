import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerParent } from '../answer-parent.ts'
import { exampleBody } from '../workload.ts'

/** A process with ten thousand clients, each on its own connection. */

/**
 * `idle`: each client sends one request and stays connected. `wait`: each sends a request that waits. `listen`: each asks
 * for the job's events. `vanish`: all disconnect.
 */
export type ClientTask =
  | { readonly task: 'idle'; readonly port: number; readonly count: number }
  | { readonly task: 'wait' | 'answers' | 'vanish' }
  | { readonly task: 'listen'; readonly jobId: string }

export interface Answers {
  readonly answered: number
  /** How many replies had status 200. */
  readonly finished: number
  /** When the last reply arrived, in milliseconds since the Unix epoch. */
  readonly lastAt: number
}

const headers = 'host: bench\r\nauthorization: Bearer key\r\n'
const ask = `GET /v1/jobs/none HTTP/1.1\r\n${headers}\r\n`
const body = JSON.stringify(exampleBody)
const wait =
  `POST /v1/generate?wait=true HTTP/1.1\r\n${headers}content-type: application/json\r\nidempotency-key: k\r\n` +
  `content-length: ${body.length}\r\n\r\n${body}`

/** How many connections are opened at the same time. */
const batch = 200

let sockets: Socket[] = []
let answered = 0
let finished = 0
let lastAt = 0

async function openIdle(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(ask)
  await once(socket, 'data')
  socket.on('error', () => {})
  return socket.on('data', (reply: Buffer) => {
    answered++
    if (reply.subarray(9, 12).toString() === '200') finished++
    lastAt = Date.now()
  })
}

async function sendAll(request: string): Promise<void> {
  for (const [index, socket] of sockets.entries()) {
    socket.write(request)
    if (index % batch === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

answerParent({}, async (question: ClientTask): Promise<Answers> => {
  if (question.task === 'idle') {
    sockets = []
    answered = finished = 0
    while (sockets.length < question.count) {
      const some = Array.from({ length: Math.min(batch, question.count - sockets.length) }, () =>
        openIdle(question.port),
      )
      sockets.push(...(await Promise.all(some)))
    }
  }
  if (question.task === 'wait') await sendAll(wait)
  if (question.task === 'listen')
    await sendAll(`GET /v1/jobs/${question.jobId}/events HTTP/1.1\r\n${headers}\r\n`)
  if (question.task === 'vanish') for (const socket of sockets) socket.destroy()
  return { answered, finished, lastAt }
})

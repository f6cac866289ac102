import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeFile } from '@genmount/testing'

/** The key that every vendor here accepts, each in its own header. */
export const key = 'k3y-of-the-house:7f3a9c0d51e8'

/** A request to start a task, to poll a task, or to download a file. */
export type Step = 'submit' | 'poll' | 'file'

export interface Asked {
  readonly origin: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface Task {
  readonly id: string
  readonly asked: Asked
  /** How many times the task has been polled. */
  polls: number
}

export interface Reply {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The formats of a vendor's answers. */
export interface VendorFake {
  /** The vendor has accepted a task, which costs money. */
  submit(task: Task): Reply
  poll(task: Task, isDone: boolean): Reply
  /** The answer about an unknown task. */
  unknown?: Reply
  /** The answer to a poll of a finished film at this URL. */
  film?(url: unknown): unknown
  /** The format of an error. */
  error(words: string): unknown
}

/** What happens instead of the right answer. `taken`: the vendor has accepted the task, but its answer is lost. */
export interface Fault {
  readonly step: Step
  /** `gone`: the right answer, and then the server stops listening. */
  readonly answer: Reply | 'reset' | 'silence' | 'gone'
  readonly taken?: boolean
  times?: number
}

export interface VendorServer {
  readonly origin: string
  /** The tasks that the vendor has accepted. Each of them costs money. */
  readonly ledger: Task[]
  readonly faults: Fault[]
  /** How many polls find a task unfinished. */
  pendingPolls: number
  /** How many requests have no answer yet at this moment. */
  readonly silent: number
  close(): Promise<void>
}

/** A vendor on loopback. */
export async function vendorServer(fake: VendorFake): Promise<VendorServer> {
  const ledger: Task[] = []
  const faults: Fault[] = []
  let silent = 0

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: VendorServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ledger,
    faults,
    pendingPolls: 0,
    get silent() {
      return silent
    },
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method } = request
    const step: Step = url.includes('/files/') ? 'file' : method === 'GET' ? 'poll' : 'submit'
    const asked = { origin: `http://${request.headers.host}`, path: url, body: await readBody(request) }
    const fault = faults.find((fault) => fault.step === step && (fault.times ?? 1) > 0)
    if (fault && fault.times !== undefined) fault.times--
    if (fault?.answer === 'gone') response.once('finish', () => void vendor.close())
    if (!fault || fault.answer === 'gone') return send(response, rightAnswer(step, request, asked))
    if (fault.taken) rightAnswer(step, request, asked)
    if (fault.answer === 'reset') request.socket.resetAndDestroy()
    else if (fault.answer === 'silence') {
      silent++
      response.once('close', () => silent--)
    } else send(response, fault.answer)
  }

  function rightAnswer(step: Step, request: IncomingMessage, asked: Asked): Reply {
    if (step === 'file') return { bytes: fakeFile(asked.path.includes('.png') ? 'image' : 'video').bytes }
    if (!JSON.stringify(request.headers).includes(key)) return { status: 401, json: fake.error('No key.') }
    if (step === 'submit') {
      const task = { id: `task-${ledger.length + 1}-7c1f`, asked, polls: 0 }
      ledger.push(task)
      return fake.submit(task)
    }
    const task = ledger.find(({ id }) => asked.path.includes(id))
    if (!task) return fake.unknown ?? { status: 404, json: fake.error('Not found.') }
    return fake.poll(task, task.polls++ >= vendor.pendingPolls)
  }

  return vendor
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { form: text }
  }
}

function send(response: ServerResponse, { status = 200, json, text, bytes, headers }: Reply): void {
  const type = json === undefined ? 'application/octet-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(bytes ?? text ?? (json === undefined ? '' : JSON.stringify(json)))
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { type CalledService, callbackSender } from './callback-sender.ts'
import { readPicture } from './uploaded-picture.ts'
import { vendorFile } from './vendor-file.ts'
import { type TaskOrder, type TaskState, vendorOrigin } from './vendor-wire.ts'

/** A task that the vendor has accepted, and its price. */
export interface LedgerEntry {
  readonly taskId: string
  readonly order: TaskOrder
  /** When the vendor accepted it, by the clock of the system. */
  readonly at: number
  readonly costUsd: number
}

/** A vendor in the process of the test, so that it outlives every service process that is killed. */
export interface PaidVendor {
  readonly address: string
  /** The key of its customers. */
  readonly secret: string
  /** All accepted tasks in order: everything that its customers have paid for. */
  readonly ledger: readonly LedgerEntry[]
  /** How many submits there were, including repeated submits of tasks that were already paid for. */
  readonly submits: number
  /** The ids of the tasks about which the service has answered a callback with 2xx. */
  readonly calledBack: ReadonlySet<string>
  /** For each task with a picture: `'whole'` once the vendor has read the picture, or how that failed. */
  readonly picturesRead: ReadonlyMap<string, string>
  /** For how many tasks a callback is still to be sent. */
  readonly pendingCallbacks: number
  close(): void
}

interface Reply {
  readonly status: number
  readonly body?: TaskState | Buffer
  readonly afterMs?: number
  /** Whether the vendor breaks the connection instead of answering. */
  readonly isLost?: boolean
}

/**
 * Resolves when every request has been read that was sent before, also by a customer who has died since. On a busy machine
 * they lie in the sockets for long. It takes one turn of the event loop to accept a connection, and some to read a request.
 */
async function requestsRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
}

const nobody: CalledService = { addresses: () => [], speed: 1 }

/**
 * Starts a vendor. `POST /tasks` accepts a task, only once for the same `Idempotency-Key` if there is one.
 * `DELETE /tasks/{id}` stops a task that runs; it costs the same. `GET /tasks/{id}` and `GET /tasks?client_token=` give the state of a task. `/files/{task}/{index}` serves
 * outputs to everybody. A task whose wish has a picture runs until the vendor has read the picture.
 * @param service receives the callbacks of tasks that ask for one
 */
export async function startVendor(service = nobody): Promise<PaidVendor> {
  const secret = `vendor-secret-${randomUUID()}`
  const callbacks = callbackSender(secret, service)
  const ledger: LedgerEntry[] = []
  const finishedAt = new Map<string, number>()
  const cancelled = new Set<string>()
  const picturesRead = new Map<string, string>()
  let submits = 0

  function takeOn(order: TaskOrder, now: number): LedgerEntry {
    const number = ledger.length + 1
    const entry = { taskId: `task-${number}`, order, at: now, costUsd: (1 + (number % 7)) / 100 }
    ledger.push(entry)
    const { callback_url: url, wish } = order
    const { image, prompt } = wish
    const begin = (at: number) => {
      const taskMs = order.kind === 'at-once' ? 0 : wish.task_ms
      finishedAt.set(entry.taskId, at + taskMs)
      if (url) setTimeout(() => callbacks.send(entry.taskId, url), taskMs)
    }
    // A task does not finish before its picture is read. That of a task which is made at once is not read.
    if (image === undefined || order.kind === 'at-once') begin(now)
    else {
      finishedAt.set(entry.taskId, Number.POSITIVE_INFINITY)
      void readPicture(image, prompt, service).then((outcome) => {
        picturesRead.set(entry.taskId, outcome)
        begin(Date.now())
      })
    }
    return entry
  }

  function stateOf({ taskId, order, costUsd }: LedgerEntry, now: number): TaskState {
    const { wish } = order
    const task = { id: taskId, cost_usd: costUsd, poll_after_ms: wish.poll_after_ms, outputs: [] }
    if (cancelled.has(taskId)) return { ...task, state: 'failed' }
    if (now < (finishedAt.get(taskId) ?? 0)) return { ...task, state: 'running' }
    if (wish.fails) return { ...task, state: 'failed' }
    const outputs = Array.from({ length: wish.outputs }, (_, index) =>
      wish.as === 'url' && order.kind !== 'at-once'
        ? { url: `${vendorOrigin}/files/${taskId}/${index}` }
        : { base64: vendorFile(taskId, index).toString('base64') },
    )
    return { ...task, state: 'succeeded', outputs }
  }

  function tell(entry: LedgerEntry | undefined, now: number, afterMs = 0): Reply {
    return entry ? { status: 200, body: stateOf(entry, now), afterMs } : { status: 404 }
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '/', vendorOrigin)
    const [, folder, taskId = '', index = '0'] = pathname.split('/')
    if (folder === 'files') return { status: 200, body: vendorFile(taskId, Number(index)) }
    if (request.headers.authorization !== `Bearer ${secret}`) return { status: 401 }
    if (request.method === 'DELETE') {
      if (Date.now() < (finishedAt.get(taskId) ?? 0)) cancelled.add(taskId)
      return { status: 200 }
    }
    if (request.method === 'POST') {
      const order = (await json(request)) as TaskOrder
      // Read once: on a busy machine a new task would else be finished in the answer to its submit now and then.
      const now = Date.now()
      submits++
      const key = request.headers['idempotency-key']
      const twin = key && ledger.find((entry) => entry.order.client_token === key)
      const isLost = !twin && order.wish.loses_answer === true
      return { ...tell(twin || takeOn(order, now), now, order.wish.answer_ms), isLost }
    }
    const clientToken = searchParams.get('client_token')
    const find = () =>
      ledger.find((entry) => entry.taskId === taskId || entry.order.client_token === clientToken)
    if (!find()) await requestsRead()
    const asked = find()
    const now = Date.now()
    return tell(asked?.order.kind === 'at-once' ? undefined : asked, now)
  }

  const server = createServer((request, response) => {
    answer(request).then(
      async ({ status, body, afterMs = 0, isLost = false }) => {
        if (afterMs > 0) await delay(afterMs)
        if (isLost) return response.destroy()
        response.writeHead(status).end(body instanceof Buffer ? body : JSON.stringify(body ?? {}))
      },
      // The customer died before its request was complete.
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    address: `http://127.0.0.1:${port}`,
    secret,
    ledger,
    get submits() {
      return submits
    },
    calledBack: callbacks.taken,
    picturesRead,
    get pendingCallbacks() {
      return callbacks.pending
    },
    close() {
      callbacks.stop()
      server.close()
      server.closeAllConnections()
    },
  }
}

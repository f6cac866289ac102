import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { vendorFile } from './vendor-file.ts'
import { type TaskOrder, type TaskState, vendorOrigin } from './vendor-wire.ts'

/** A task that the vendor has taken on, and what it is paid for it. */
export interface LedgerEntry {
  readonly taskId: string
  readonly order: TaskOrder
  readonly costUsd: number
}

/** A vendor that lives in the test's process and so outlives every service that is killed. */
export interface PaidVendor {
  readonly address: string
  /** Its customers' key. */
  readonly secret: string
  /** Every task taken on, in order: what its customers have paid for. */
  readonly ledger: readonly LedgerEntry[]
  /** How many submits there were, those that were paid for before included. */
  readonly submits: number
  close(): void
}

interface Reply {
  readonly status: number
  readonly body?: TaskState | Buffer
  readonly afterMs?: number
}

/**
 * Takes tasks by `POST /tasks`, once for each `Idempotency-Key` where there is one; tells of them by `GET /tasks/{id}`
 * and `GET /tasks?client_token=`; serves `/files/{task}/{index}` to everybody.
 */
export async function startVendor(): Promise<PaidVendor> {
  const secret = `vendor-secret-${randomUUID()}`
  const ledger: LedgerEntry[] = []
  const finishedAt = new Map<string, number>()
  let submits = 0

  function takeOn(order: TaskOrder): LedgerEntry {
    const number = ledger.length + 1
    const entry = { taskId: `task-${number}`, order, costUsd: (1 + (number % 7)) / 100 }
    ledger.push(entry)
    finishedAt.set(entry.taskId, Date.now() + order.wish.task_ms)
    return entry
  }

  function stateOf({ taskId, order, costUsd }: LedgerEntry): TaskState {
    const { wish } = order
    const task = { id: taskId, cost_usd: costUsd, poll_after_ms: wish.poll_after_ms, outputs: [] }
    if (Date.now() < (finishedAt.get(taskId) ?? 0)) return { ...task, state: 'running' }
    if (wish.fails) return { ...task, state: 'failed' }
    const outputs = Array.from({ length: wish.outputs }, (_, index) =>
      wish.as === 'url'
        ? { url: `${vendorOrigin}/files/${taskId}/${index}` }
        : { base64: vendorFile(taskId, index).toString('base64') },
    )
    return { ...task, state: 'succeeded', outputs }
  }

  function tell(entry: LedgerEntry | undefined, afterMs = 0): Reply {
    return entry ? { status: 200, body: stateOf(entry), afterMs } : { status: 404 }
  }

  async function answer(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(request.url ?? '/', vendorOrigin)
    const [, folder, taskId = '', index = '0'] = pathname.split('/')
    if (folder === 'files') return { status: 200, body: vendorFile(taskId, Number(index)) }
    if (request.headers.authorization !== `Bearer ${secret}`) return { status: 401 }
    if (request.method === 'POST') {
      const order = (await json(request)) as TaskOrder
      submits++
      const key = request.headers['idempotency-key']
      const twin = key && ledger.find((entry) => entry.order.client_token === key)
      return tell(twin || takeOn(order), order.wish.answer_ms)
    }
    const clientToken = searchParams.get('client_token')
    return tell(ledger.find((entry) => entry.taskId === taskId || entry.order.client_token === clientToken))
  }

  const server = createServer((request, response) => {
    answer(request).then(
      async ({ status, body, afterMs = 0 }) => {
        if (afterMs > 0) await delay(afterMs)
        response.writeHead(status).end(body instanceof Buffer ? body : JSON.stringify(body ?? {}))
      },
      // The customer died before it had ordered.
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
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

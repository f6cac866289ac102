import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../loopback.ts'
import { type CalledService, callbackSender } from './callback-sender.ts'
import { type LedgerEntry, taskBook } from './task-book.ts'
import type { TaskOrder, TaskState } from './task-wish.ts'
import { vendorFile, vendorOrigin } from './vendor-file.ts'

/** A call to the vendor, and the prompt of the job that it is about. */
export interface VendorCall {
  readonly kind: 'submit' | 'find' | 'poll' | 'cancel' | 'file'
  readonly prompt: string
}

/**
 * What a call waits for before the vendor looks at it, and what its answer waits for. If the caller dies during the first
 * wait, the vendor does not act on that call.
 */
export interface Delays {
  request?(call: VendorCall): Promise<unknown> | undefined
  answer?(call: VendorCall): Promise<unknown> | undefined
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

/** Older servers name no account. */
const accountOf = ({ account = 'main' }: TaskOrder) => account

/**
 * Starts a vendor in the process of the test, so that it outlives every service process that is killed.
 *
 * `POST /tasks` accepts a task, only once for the same `Idempotency-Key` if there is one. `DELETE /tasks/{id}` stops a task.
 * `GET /tasks/{id}` and `GET /tasks?client_token=` give the state of a task. `/files/{task}/{index}` serves outputs to
 * everybody. A task whose wish has a picture runs until the vendor has read the picture.
 * @param service receives the callbacks of tasks that ask for one
 */
export async function startVendor(service: CalledService, delays: Delays = {}) {
  const secrets = Array.from({ length: 20 }, () => `vendor-secret-${randomUUID()}`)
  const callbackSecret = secrets[0]!
  let rotations = 0
  const secretNow = () => secrets[rotations % secrets.length]!
  const callbacks = callbackSender(callbackSecret, service)
  const { ledger, picturesRead, ...tasks } = taskBook(service, callbacks)
  /** All calls that have reached it, in their order. */
  const calls: VendorCall[] = []
  /** The prompts of all submits, by client token. Some of them are never accepted. */
  const prompts = new Map<string, string>()
  /** How many submits there were, including repeated submits of tasks that were already paid for. */
  let submits = 0

  async function read(request: IncomingMessage) {
    const { pathname, searchParams } = new URL(request.url ?? '/', vendorOrigin)
    const [, folder, taskId = '', index = '0'] = pathname.split('/')
    const clientToken = searchParams.get('client_token')
    const place = { taskId, index: Number(index), clientToken }
    if (request.method === 'POST') {
      const order = (await json(request)) as TaskOrder
      prompts.set(order.client_token, order.wish.prompt)
      const call: VendorCall = { kind: 'submit', prompt: order.wish.prompt }
      return { ...place, call, order }
    }
    const task = ledger.find((entry) => entry.taskId === taskId)
    const prompt = (clientToken ? prompts.get(clientToken) : task?.order.wish.prompt) ?? ''
    const ofTask = request.method === 'DELETE' ? 'cancel' : clientToken ? 'find' : 'poll'
    const call: VendorCall = { kind: folder === 'files' ? 'file' : ofTask, prompt }
    return { ...place, call, order: undefined }
  }

  function state(entry: LedgerEntry | undefined, now: number): Reply {
    return entry ? { status: 200, body: tasks.stateOf(entry, now) } : { status: 404 }
  }

  function submit(order: TaskOrder, key: string | undefined): Reply {
    // Read once: on a busy machine a new task would else be finished in the answer to its submit now and then.
    const now = Date.now()
    submits++
    const isTwin = (entry: LedgerEntry) =>
      entry.order.client_token === key && accountOf(entry.order) === accountOf(order)
    const twin = key && ledger.find(isTwin)
    const isLost = !twin && order.wish.loses_answer === true
    return { ...state(twin || tasks.accept(order, now), now), afterMs: order.wish.answer_ms, isLost }
  }

  async function answer(
    { headers }: IncomingMessage,
    { call, order, taskId, index, clientToken }: Awaited<ReturnType<typeof read>>,
  ): Promise<Reply> {
    if (call.kind === 'file') return { status: 200, body: vendorFile(taskId, index) }
    if (headers.authorization !== `Bearer ${secretNow()}`) return { status: 401 }
    if (order) return submit(order, headers['idempotency-key'] as string | undefined)
    if (call.kind === 'cancel') {
      tasks.cancel(taskId)
      return { status: 200 }
    }
    const { account = 'main' } = headers
    const isMeant = ({ taskId: id, order: { client_token } }: LedgerEntry) =>
      id === taskId || client_token === clientToken
    const find = () => ledger.find((entry) => accountOf(entry.order) === account && isMeant(entry))
    if (!find()) await requestsRead()
    const task = find()
    return state(task?.order.kind === 'at-once' ? undefined : task, Date.now())
  }

  const server = await listen(async (request, response) => {
    try {
      const received = await read(request)
      calls.push(received.call)
      await delays.request?.(received.call)
      if (response.destroyed) return
      const { status, body, afterMs = 0, isLost = false } = await answer(request, received)
      if (afterMs > 0) await delay(afterMs)
      await delays.answer?.(received.call)
      if (isLost) return void response.destroy()
      response.writeHead(status).end(body instanceof Buffer ? body : JSON.stringify(body ?? {}))
    } catch {
      // The customer died before its request was complete.
      response.destroy()
    }
  })

  return {
    address: server.origin,
    get secret() {
      return secretNow()
    },
    callbackSecret,
    /** All keys that the vendor accepts at some time. */
    secrets,
    /** From now on the vendor accepts only another key, which servers have that are started from now on. */
    rotateKey: () => void rotations++,
    ledger,
    picturesRead,
    calls,
    get submits() {
      return submits
    },
    /** The ids of the tasks about which the service has answered a callback with 2xx. */
    calledBack: callbacks.taken,
    /** For how many tasks a callback is still to be sent. */
    get pendingCallbacks() {
      return callbacks.pending
    },
    close() {
      callbacks.stop()
      void server.stop()
    },
  }
}

import { Worker } from 'node:worker_threads'
import { fairQueue } from '@genmount/core'

/** Worker threads that work, so that the event loop stays free. */
export interface WorkerPool<Order, Reply> {
  /**
   * Hands the order to a thread as soon as one is free, and owners take turns where orders wait. A thread that dies over it is replaced, and the order tried once
   * more.
   * @param owner a task's. @default one owner, whose orders are served in the order in which they came
   * @throws the reason of `signal` when it aborts, which stops the thread at once; an error when the pool closes, and one
   * when the second thread has died too: its message is for a log, and not for whoever gave the order
   */
  run(order: Order, signal: AbortSignal, owner?: string): Promise<Reply>

  /** Ends every thread. Orders under way are rejected. */
  close(): Promise<void>
}

/**
 * Threads start when there is work, and keep the process alive only while they work.
 * @param script takes each order as a message of its `parentPort`, one at a time, and answers it with one message; the
 * buffers that it lists there are moved instead of copied. What it throws ends its thread.
 * @param threads how many work at a time; further orders wait
 * @example workerPool<Order, Reply>(new URL('./my-worker.js', import.meta.url), 2)
 */
export function workerPool<Order, Reply>(script: URL, threads: number): WorkerPool<Order, Reply> {
  const closing = new AbortController()
  const alive = new Set<Worker>()
  const idle = new Set<Worker>()
  const waiting = fairQueue<() => void>()
  let free = threads

  async function acquire(signal: AbortSignal, owner: string): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free--
      waiting.passed(owner)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        takeOut()
        reject(signal.reason)
      }
      const takeOut = waiting.add(owner, begin)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function release(): void {
    const next = waiting.next()
    if (next) next()
    else free++
  }

  function start(): Worker {
    const worker = new Worker(script)
    alive.add(worker)
    const forget = (): void => {
      alive.delete(worker)
      idle.delete(worker)
    }
    // A thread may also die between two orders, when nobody waits for it.
    return worker.on('error', forget).on('exit', forget)
  }

  async function attempt(order: Order, signal: AbortSignal): Promise<Reply> {
    // The order may have been called off on the way here.
    signal.throwIfAborted()
    const [worker = start()] = idle
    idle.delete(worker)
    try {
      const reply = await ask<Order, Reply>(worker, order, signal)
      idle.add(worker)
      return reply
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  return {
    async run(order, caller, owner = '') {
      const signal = AbortSignal.any([caller, closing.signal])
      await acquire(signal, owner)
      try {
        return await attempt(order, signal).catch(() => attempt(order, signal))
      } catch (cause) {
        signal.throwIfAborted()
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new Error(`Two worker threads broke down over it: ${reason}`, { cause })
      } finally {
        release()
      }
    },

    async close() {
      closing.abort(new Error('The worker threads have ended.'))
      await Promise.all([...alive].map((worker) => worker.terminate()))
    },
  }
}

/** Waits for the reply to the order. Only a thread at work keeps the process alive. */
function ask<Order, Reply>(worker: Worker, order: Order, signal: AbortSignal): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const stop = (): void => reject(signal.reason)
  const end = (code: number): void => reject(new Error(`its thread ended with code ${code}`))
  worker.on('message', resolve).on('messageerror', reject).on('error', reject).on('exit', end)
  signal.addEventListener('abort', stop)
  worker.ref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  worker.postMessage(order)
  return promise.finally(() => {
    worker.unref()
    worker.off('message', resolve).off('messageerror', reject).off('error', reject).off('exit', end)
    signal.removeEventListener('abort', stop)
  })
}

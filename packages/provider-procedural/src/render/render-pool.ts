import { Worker } from 'node:worker_threads'
import type { RenderOrder, RenderReply } from './render-order.ts'

/** Worker threads that render, so that the event loop stays free. Threads start when there is work. */
export interface RenderPool {
  /**
   * Renders as soon as a thread is free. A thread that dies is replaced and the order tried once more.
   * @throws the reason of `signal` when it aborts, and an error when the pool closes
   */
  render(order: RenderOrder, signal: AbortSignal): Promise<RenderReply>

  /** Ends every thread. Orders under way are rejected. */
  close(): Promise<void>
}

// In dist every entry lies beside every other; in the source the worker lies one folder up.
const workerScript = new URL(
  import.meta.url.endsWith('.ts') ? '../render-worker.ts' : './render-worker.js',
  import.meta.url,
)

export function renderPool(threads: number, script: URL = workerScript): RenderPool {
  const closing = new AbortController()
  const alive = new Set<Worker>()
  const idle = new Set<Worker>()
  const waiting: (() => void)[] = []
  let free = threads

  async function acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0) {
      free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal.reason)
      }
      waiting.push(begin)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  function release(): void {
    const next = waiting.shift()
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

  async function attempt(order: RenderOrder, signal: AbortSignal): Promise<RenderReply> {
    // The order may have been called off on the way here.
    signal.throwIfAborted()
    const [worker = start()] = idle
    idle.delete(worker)
    try {
      const reply = await ask(worker, order, signal)
      idle.add(worker)
      return reply
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  return {
    async render(order, caller) {
      const signal = AbortSignal.any([caller, closing.signal])
      await acquire(signal)
      try {
        return await attempt(order, signal).catch(() => attempt(order, signal))
      } catch (error) {
        signal.throwIfAborted()
        const reason = error instanceof Error ? error.message : String(error)
        return { code: 'provider_failed', message: `The renderer broke down twice: ${reason}` }
      } finally {
        release()
      }
    },

    async close() {
      closing.abort(new Error('The provider is closed.'))
      await Promise.all([...alive].map((worker) => worker.terminate()))
    },
  }
}

/** Hands the order to the thread and waits for its reply. Only a thread at work keeps the process alive. */
function ask(worker: Worker, order: RenderOrder, signal: AbortSignal): Promise<RenderReply> {
  const { promise, resolve, reject } = Promise.withResolvers<RenderReply>()
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

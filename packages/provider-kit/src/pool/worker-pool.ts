import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { fairQueue, type JobPreview } from '@genmount/core'
import { freePlacesOf, sharedPlaces } from '../decoding/picture-places.ts'
import type { TellProgress } from '../tasks/tell-progress.ts'

/** A fixed number of worker threads that do heavy work, so that the event loop stays free. */
export interface WorkerPool<Order, Reply> {
  /**
   * Gives the order to a thread as soon as one is free. When orders wait, their owners take turns. If the thread dies,
   * a new thread tries the order once more.
   * @param signal aborting it stops the thread at once
   * @param owner the owner of the task.
   * @default orders without an owner count as those of one owner
   * @param onProgress called for each message that the thread posts before its reply: a number, such as the part that is
   *   done, from 0 to 1, or `{ progress, preview }`. @default such a message is the reply
   * @returns the thread's reply
   * @throws the reason of `signal`, when `signal` aborts
   * @throws Error when the pool closes
   * @throws Error when the second thread has died as well. Its message is for logs only: it may name files of this
   *   machine
   */
  run(order: Order, signal: AbortSignal, owner?: string, onProgress?: TellProgress): Promise<Reply>

  /**
   * Loads the script in a thread of its own, which then ends. So a missing file, package or permission is found before
   * the first order.
   * @throws Error that says why the script can't be loaded
   */
  ready(): Promise<void>

  /** Ends all threads. Orders that wait or are under way are rejected. */
  close(): Promise<void>
}

/**
 * Makes a pool of worker threads. A thread starts when there is work for it, and keeps the process alive only while it
 * works.
 * @param script the module that each thread runs. It receives one order at a time as a message of its `parentPort`, and
 *   answers with one message. Buffers in the transfer list of that message are moved, not copied. If the script throws,
 *   its thread ends
 * @param threads how many threads work at the same time. Further orders wait
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

  function start(module: URL): Worker {
    const { thread, data } = sharedPlaces()
    const worker = new Worker(module, { workerData: data })
    alive.add(worker)
    const forget = (): void => {
      alive.delete(worker)
      idle.delete(worker)
    }
    // A thread may also die between two orders, while no order listens for its end.
    return worker
      .on('error', forget)
      .on('exit', forget)
      .on('exit', () => freePlacesOf(thread))
  }

  async function attempt(order: Order, signal: AbortSignal, onProgress?: TellProgress): Promise<Reply> {
    // The order may have been aborted while it waited, or while its first thread ended.
    signal.throwIfAborted()
    const [worker = start(script)] = idle
    idle.delete(worker)
    try {
      const reply = await ask<Order, Reply>(worker, order, signal, onProgress)
      // The reply of a thread that has just ended can arrive with its end. Such a thread answers no further order.
      if (alive.has(worker)) idle.add(worker)
      return reply
    } catch (error) {
      await worker.terminate()
      throw error
    }
  }

  return {
    async run(order, caller, owner = '', onProgress) {
      const signal = AbortSignal.any([caller, closing.signal])
      await acquire(signal, owner)
      try {
        const attempted = () => attempt(order, signal, onProgress)
        return await attempted().catch(attempted)
      } catch (cause) {
        signal.throwIfAborted()
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new Error(`Two worker threads failed on the same order: ${reason}`, { cause })
      } finally {
        release()
      }
    },

    async ready() {
      closing.signal.throwIfAborted()
      try {
        await loaded(start(loaderOf(script)))
      } catch (cause) {
        closing.signal.throwIfAborted()
        throw new Error(await whyNotLoaded(script, cause as Error), { cause })
      }
    },

    async close() {
      closing.abort(new Error('The pool of worker threads was closed.'))
      await Promise.all([...alive].map((worker) => worker.terminate()))
    },
  }
}

/** A module that loads the script and then posts a message. It is no file, because bundlers omit files of workers. */
function loaderOf(script: URL): URL {
  const code = `import { parentPort } from 'node:worker_threads'
import ${JSON.stringify(script.href)}
parentPort.postMessage('loaded')`
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Resolves when the thread has posted a message, and ends the thread. @throws the error that has ended the thread */
async function loaded(worker: Worker): Promise<void> {
  try {
    await new Promise((resolve, reject) => {
      worker
        .on('message', resolve)
        .on('error', reject)
        .on('exit', (code) => reject(endedWith(code)))
    })
  } finally {
    await worker.terminate()
  }
}

async function whyNotLoaded(script: URL, { message }: Error): Promise<string> {
  const isMissing = await access(script).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  )
  return isMissing
    ? `The worker script ${fileURLToPath(script)} does not exist. If a bundler made this app, name the package of the script as external.`
    : `The worker script can't be loaded: ${message}`
}

function endedWith(code: number): Error {
  return new Error(`the thread ended with code ${code}`)
}

/** What a message of a thread tells before its reply. */
function newsIn(message: unknown): { readonly progress?: number; readonly preview?: JobPreview } {
  if (typeof message === 'number') return { progress: message }
  const isNews =
    typeof message === 'object' && message !== null && 'progress' in message && 'preview' in message
  return isNews ? (message as { progress: number; preview: JobPreview }) : {}
}

/** Sends the order to the thread and waits for its reply. The thread keeps the process alive only during that time. */
function ask<Order, Reply>(
  worker: Worker,
  order: Order,
  signal: AbortSignal,
  onProgress?: TellProgress,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const hear = (message: unknown): void => {
    const { progress, preview } = newsIn(message)
    if (onProgress && progress !== undefined) onProgress(progress, preview)
    else resolve(message as Reply)
  }
  const stop = (): void => reject(signal.reason)
  const end = (code: number): void => reject(endedWith(code))
  worker.on('message', hear).on('messageerror', reject).on('error', reject).on('exit', end)
  signal.addEventListener('abort', stop)
  worker.ref()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the rule is for windows, not for threads
  worker.postMessage(order)
  return promise.finally(() => {
    worker.unref()
    worker.off('message', hear).off('messageerror', reject).off('error', reject).off('exit', end)
    signal.removeEventListener('abort', stop)
  })
}

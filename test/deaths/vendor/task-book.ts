import type { CalledService, CallbackSender } from './callback-sender.ts'
import type { TaskOrder, TaskState, TaskWish } from './task-wish.ts'
import { readPicture, uploadedPicture } from './uploaded-picture.ts'
import { vendorFile, vendorOrigin } from './vendor-file.ts'

/** A task that the vendor has accepted, and its price. */
export interface LedgerEntry {
  readonly taskId: string
  readonly order: TaskOrder
  /** When the vendor accepted it, by the clock of the system. */
  readonly at: number
  readonly costUsd: number
}

/**
 * The tasks of the vendor.
 * @param service the servers at which the vendor reads pictures
 */
export function taskBook(service: CalledService, callbacks: CallbackSender) {
  /** All accepted tasks in order: everything that its customers have paid for. */
  const ledger: LedgerEntry[] = []
  const finishedAt = new Map<string, number>()
  const canceled = new Set<string>()
  /** For each task with a picture: `'whole'` once the vendor has read the picture, or how that failed. */
  const picturesRead = new Map<string, string>()
  /** The bytes that the picture in a wish has. */
  function pictureOf({ prompt, image_of: prior }: TaskWish): Uint8Array {
    const made = prior !== undefined && ledger.find(({ order }) => order.wish.prompt === prior)
    return made ? vendorFile(made.taskId, 0) : uploadedPicture(prompt)
  }
  const isRunning = (taskId: string, now: number) => now < (finishedAt.get(taskId) ?? 0)

  return {
    ledger,
    picturesRead,

    accept(order: TaskOrder, now: number): LedgerEntry {
      const number = ledger.length + 1
      const entry = { taskId: `task-${number}`, order, at: now, costUsd: (1 + (number % 7)) / 100 }
      ledger.push(entry)
      const { callback_url: url, wish } = order
      const { image } = wish
      const begin = (at: number) => {
        const taskMs = order.kind === 'at-once' ? 0 : wish.task_ms
        finishedAt.set(entry.taskId, at + taskMs)
        if (url) setTimeout(() => callbacks.send(entry.taskId, url), taskMs)
      }
      // A task does not finish before its picture is read. That of a task which is made at once is not read.
      if (image === undefined || order.kind === 'at-once') begin(now)
      else {
        finishedAt.set(entry.taskId, Number.POSITIVE_INFINITY)
        void readPicture(image, pictureOf(wish), service).then((outcome) => {
          picturesRead.set(entry.taskId, outcome)
          begin(Date.now())
        })
      }
      return entry
    },

    /** Stops a task that runs. It costs the same. */
    cancel(taskId: string) {
      if (isRunning(taskId, Date.now())) canceled.add(taskId)
    },

    stateOf({ taskId, order, costUsd }: LedgerEntry, now: number): TaskState {
      const { wish } = order
      const task = { id: taskId, cost_usd: costUsd, poll_after_ms: wish.poll_after_ms, outputs: [] }
      if (canceled.has(taskId)) return { ...task, state: 'failed' }
      if (isRunning(taskId, now)) return { ...task, state: 'running' }
      if (wish.fails) return { ...task, state: 'failed' }
      const outputs = Array.from({ length: wish.outputs }, (_, index) =>
        wish.as === 'url' && order.kind !== 'at-once'
          ? { url: `${vendorOrigin}/files/${taskId}/${index}` }
          : { base64: vendorFile(taskId, index).toString('base64') },
      )
      return { ...task, state: 'succeeded', outputs }
    },
  }
}

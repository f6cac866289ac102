import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { systemClock } from '@genmount/core'

/** A task that is paid for. */
export interface VendorTask {
  readonly id: string
  readonly kind: VendorKind
  readonly clientToken: string
  readonly prompt: string
  readonly doneAt: number
  /** Whether the connection broke in place of the answer to its submit. */
  readonly losesAnswer: boolean
  /** For how long the answer to its first poll is held back, in milliseconds. */
  readonly holdPoll: number
  /** When its submit was answered, or the connection broke. */
  answeredAt?: number
  isPolled: boolean
  /** The call whose answer is held back now. */
  held?: 'submit' | 'poll' | undefined
  /** When a poll was first told that the task is done. */
  saidDoneAt?: number
}

/** What the vendor can do about a submit whose answer was lost: find its task, make no second one, or nothing. */
export type VendorKind = 'finds' | 'dedupes' | 'plain'

interface TaskWish {
  readonly kind: VendorKind
  readonly clientToken: string
  readonly prompt: string
  /** How long the task takes, in milliseconds. */
  readonly ms: number
  /** For how long the answer to its submit is held back, in milliseconds. */
  readonly hold?: number
  readonly holdPoll?: number
  /** Whether the connection breaks in place of the answer to its submit. */
  readonly losesAnswer?: boolean
}

/** A vendor outside of the workers and functions, which remembers what it was paid for. All its times are those of the clock. */
export async function taskVendor(clock = systemClock()) {
  const tasks: VendorTask[] = []

  async function hold(task: VendorTask, call: 'submit' | 'poll', ms: number): Promise<void> {
    if (ms > 0) task.held = call
    await new Promise<void>((resolve) => void clock.after(ms, resolve))
    task.held = undefined
  }

  /** @returns `undefined` for a connection that breaks */
  async function answer(path: string, body: string): Promise<object | undefined> {
    const [, place, name] = path.split('/')
    if (place === 'find') {
      const task = tasks.find(({ clientToken }) => clientToken === name)
      return task ? { id: task.id } : {}
    }
    const polled = tasks.find(({ id }) => id === name)
    if (polled) {
      const holdMs = polled.isPolled ? 0 : polled.holdPoll
      polled.isPolled = true
      await hold(polled, 'poll', holdMs)
      const isDone = clock.now() >= polled.doneAt
      if (isDone) polled.saidDoneAt ??= clock.now()
      return { isDone }
    }
    const wish = JSON.parse(body) as TaskWish
    const { kind, clientToken, prompt, holdPoll = 0, losesAnswer = false } = wish
    const same = tasks.find((task) => kind === 'dedupes' && task.clientToken === clientToken)
    if (same) return { id: same.id }
    const id = `task-${tasks.length}`
    const doneAt = clock.now() + wish.ms
    const task: VendorTask = { id, kind, clientToken, prompt, doneAt, losesAnswer, holdPoll, isPolled: false }
    tasks.push(task)
    await hold(task, 'submit', wish.hold ?? 0)
    task.answeredAt = clock.now()
    return losesAnswer ? undefined : { id: task.id }
  }

  const server = createServer(
    (request, response) =>
      void text(request)
        .then((body) => answer(request.url ?? '', body))
        .then((reply) => (reply ? response.end(JSON.stringify(reply)) : response.destroy())),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The paid tasks, in the order of their submits. */
    tasks,
    tasksOf: (prompt: string) => tasks.filter((task) => task.prompt === prompt),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

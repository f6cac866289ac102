import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** A task that is paid for. */
export interface VendorTask {
  readonly id: string
  readonly clientToken: string
  readonly prompt: string
  readonly doneAt: number
  /** For how long the answer to its first poll is held back, in milliseconds. */
  readonly holdPoll: number
  isPolled: boolean
  /** When a poll was first told that the task is done. */
  saidDoneAt?: number
}

interface TaskWish {
  readonly kind: 'finds' | 'dedupes'
  readonly clientToken: string
  readonly prompt: string
  /** How long the task takes, in milliseconds. */
  readonly ms: number
  /** For how long the answer to its submit is held back, in milliseconds. */
  readonly hold?: number
  readonly holdPoll?: number
}

/** A vendor outside of the workers, which remembers what it was paid for. */
export async function taskVendor() {
  const tasks: VendorTask[] = []

  async function answer(path: string, body: string): Promise<object> {
    const [, place, name] = path.split('/')
    if (place === 'find') {
      const task = tasks.find(({ clientToken }) => clientToken === name)
      return task ? { id: task.id } : {}
    }
    const polled = tasks.find(({ id }) => id === name)
    if (polled) {
      const holdMs = polled.isPolled ? 0 : polled.holdPoll
      polled.isPolled = true
      await delay(holdMs)
      const isDone = Date.now() >= polled.doneAt
      if (isDone) polled.saidDoneAt ??= Date.now()
      return { isDone }
    }
    const { kind, clientToken, prompt, ms, hold = 0, holdPoll = 0 } = JSON.parse(body) as TaskWish
    const same = tasks.find((task) => kind === 'dedupes' && task.clientToken === clientToken)
    if (same) return { id: same.id }
    const id = `task-${tasks.length}`
    const task = { id, clientToken, prompt, doneAt: Date.now() + ms, holdPoll, isPolled: false }
    tasks.push(task)
    await delay(hold)
    return { id: task.id }
  }

  const server = createServer(
    (request, response) =>
      void text(request)
        .then((body) => answer(request.url ?? '', body))
        .then((reply) => response.end(JSON.stringify(reply))),
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

/** The kinds of vendor interface that are never heard of unless they are asked. */
export const silentKinds = ['plain', 'find', 'dedupe'] as const
/**
 * All kinds of vendor interface, by what can be learnt of a submit whose answer was lost. `callback` is `plain` and calls
 * back when a task has finished; `at-once` answers a submit with the outputs, and knows nothing of the task later. Each is
 * a model of its own.
 */
export const vendorKinds = [...silentKinds, 'callback', 'at-once'] as const
export type VendorKind = (typeof vendorKinds)[number]

/** What a client asks of a task: the input of every model here. Durations are in milliseconds of the system's clock. */
export type TaskWish = {
  readonly prompt: string
  /** How long the task takes once it is paid for. */
  readonly task_ms: number
  /** How long the answer to the submit takes once the task is paid for. */
  readonly answer_ms: number
  /** How many outputs. */
  readonly outputs: number
  readonly as: 'url' | 'bytes'
  /** Fails, and costs all the same. */
  readonly fails: boolean
  /** What a running task tells its customer to wait, in the service's milliseconds. */
  readonly poll_after_ms: number
  /** The connection breaks before the answer to the submit that is paid for. */
  readonly loses_answer?: boolean | undefined
  /** What the vendor answers to this kills whoever reads it, each time. */
  readonly poison?: 'submit' | 'poll' | undefined
}

/** A task that is soon done, to be given a prompt. */
export const quickWish = {
  task_ms: 20,
  answer_ms: 0,
  outputs: 1,
  as: 'url',
  fails: false,
  poll_after_ms: 20,
} as const

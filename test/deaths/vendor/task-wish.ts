/** The kinds of vendor interface without callbacks. */
export const silentKinds = ['plain', 'find', 'dedupe'] as const
/**
 * All kinds of vendor interface. They differ in what a customer can learn about a submit whose answer was
 * lost. `callback` is like `plain`, but sends a callback when a task has finished. `at-once` answers a submit
 * with the outputs and does not know the task afterwards. There is one model for each kind.
 */
export const vendorKinds = [...silentKinds, 'callback', 'at-once'] as const
export type VendorKind = (typeof vendorKinds)[number]

/**
 * The input of all models here: what a task is to do. Unless a comment says otherwise, durations are in
 * milliseconds of the system.
 */
export type TaskWish = {
  readonly prompt: string
  /** How long the provider prepares its request before it connects to the vendor. @default 0 */
  readonly prepare_ms?: number | undefined
  /** How long the task takes after the vendor has accepted it. */
  readonly task_ms: number
  /** How long the answer to the submit takes after the vendor has accepted the task. */
  readonly answer_ms: number
  /** How many outputs the task has. */
  readonly outputs: number
  readonly as: 'url' | 'bytes'
  /** Whether the task fails. It costs the same. */
  readonly fails: boolean
  /** How long the customer is to wait before the next poll, in milliseconds of the service. */
  readonly poll_after_ms: number
  /**
   * Whether the connection breaks after the vendor has accepted the task and before it answers the submit.
   */
  readonly loses_answer?: boolean | undefined
  /** A picture for the task: the client gives the URL of its upload or of another job, and the vendor gets a link. */
  readonly image?: string | undefined
  /** The prompt of the job whose first output is the picture. @default the client has uploaded the picture */
  readonly image_of?: string | undefined
  /** The call whose answer kills each service process that reads it. */
  readonly poison?: 'submit' | 'poll' | undefined
}

/** A task that finishes soon. The prompt is to be added. */
export const quickWish = {
  task_ms: 20,
  answer_ms: 0,
  outputs: 1,
  as: 'url',
  fails: false,
  poll_after_ms: 20,
} as const

/** The accounts at the vendor. Each knows only its own tasks, as if it were another vendor. */
export type Account = 'main' | 'other'

/** The body of a submit. */
export interface TaskOrder {
  readonly job_id: string
  readonly client_token: string
  readonly kind: VendorKind
  /** @default 'main' */
  readonly account?: Account | undefined
  readonly wish: TaskWish
  /** The id of the process that submits. */
  readonly pid?: number | undefined
  /** The address for the callback when the task has finished. */
  readonly callback_url?: string | undefined
}

/** The state of a task, as the vendor reports it. */
export interface TaskState {
  readonly id: string
  readonly state: 'running' | 'succeeded' | 'failed'
  readonly cost_usd: number
  readonly poll_after_ms: number
  readonly outputs: readonly { readonly url?: string; readonly base64?: string }[]
}

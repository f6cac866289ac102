import type { TaskWish, VendorKind } from '../vendor/task-wish.ts'

/** The fields of the job object that are checked here. */
export interface JobObject {
  readonly id: string
  readonly model: string
  readonly status: 'processing' | 'completed' | 'failed'
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: string | null
  readonly cost_usd: number
  readonly input: TaskWish
  readonly data: readonly { readonly url: string }[]
}

/** A job that a client wants. */
export interface Order {
  readonly owner: string
  readonly model: VendorKind
  readonly wish: TaskWish
  readonly idempotencyKey?: string | undefined
  /** Whether the client wants a webhook when the job ends. @default false */
  readonly hasWebhook?: boolean
}

/** Remembers all requests to the service and its answers, for the auditor. */
export class Witness {
  /** The orders by their prompt, which is different for each order. */
  readonly orders = new Map<string, Order>()
  /** The owners of all acknowledged jobs, by the ids of the jobs. */
  readonly acknowledged = new Map<string, string>()
  /** The prompts of the orders that the service has refused, because their owner had too little left to spend. */
  readonly refused = new Set<string>()
  /** The ids of jobs that the service did not find when their owner asked for them. */
  readonly missed = new Set<string>()
  /**
   * The jobs that had changed after a client had seen them finished: by their ids, what the clients read one after the
   * other. One change is allowed, once: a job that failed as `submit_ambiguous` may continue when news about its task
   * arrives.
   */
  readonly changed = new Map<string, readonly string[]>()
  /** The ids of jobs whose owner has sent a cancel request, whatever the answer was. */
  readonly cancelAsked = new Set<string>()
  /** The ids of jobs whose delete request was answered with success. */
  readonly deleted = new Set<string>()
  readonly #ends = new Map<string, string>()
  /** Why the jobs that were mended had failed, as a client had read it. */
  readonly #mended = new Map<string, string>()

  /** Records a job object that a client has read. */
  see(text: string): JobObject {
    const job = JSON.parse(text) as JobObject
    const end = this.#ends.get(job.id)
    if (end !== undefined && end !== text) {
      const before = this.#mended.get(job.id)
      if (before !== undefined) this.changed.set(job.id, [before, end, text])
      else if (!mayBecome(JSON.parse(end) as JobObject, job)) this.changed.set(job.id, [end, text])
      this.#mended.set(job.id, end)
      this.#ends.delete(job.id)
    }
    if (!this.#ends.has(job.id) && job.status !== 'processing') this.#ends.set(job.id, text)
    return job
  }
}

function mayBecome(end: JobObject, next: JobObject): boolean {
  const isSame =
    end.created_at === next.created_at && JSON.stringify(end.input) === JSON.stringify(next.input)
  return isSame && (end.error?.startsWith('submit_ambiguous:') ?? false)
}

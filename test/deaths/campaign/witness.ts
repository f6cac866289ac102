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
  readonly isTold?: boolean
}

/** Remembers all requests to the service and its answers, for the auditor. */
export interface Witness {
  /** The orders by their prompt, which is different for each order. */
  readonly orders: ReadonlyMap<string, Order>
  /** The owners of all acknowledged jobs, by the ids of the jobs. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** The ids of jobs that the service did not find when their owner asked for them. */
  readonly missed: ReadonlySet<string>
  /**
   * The jobs that had changed after a client had seen them finished: by their ids, what the clients read one after the
   * other. One change is allowed, once: a job that failed as `submit_ambiguous` may continue when news about its task
   * arrives.
   */
  readonly changed: ReadonlyMap<string, readonly string[]>
  /** The ids of jobs whose owner has sent a cancel request, whatever the answer was. */
  readonly cancelAsked: ReadonlySet<string>
  /** The ids of jobs whose delete request was answered with success. */
  readonly deleted: ReadonlySet<string>
  askToCancel(id: string): void
  delete(id: string): void
  order(order: Order): void
  acknowledge(id: string, owner: string): void
  miss(id: string): void
  /** Records a job object that a client has read. */
  see(text: string): JobObject
}

export function createWitness(): Witness {
  const orders = new Map<string, Order>()
  const acknowledged = new Map<string, string>()
  const missed = new Set<string>()
  const changed = new Map<string, readonly string[]>()
  const cancelAsked = new Set<string>()
  const deleted = new Set<string>()
  const ends = new Map<string, string>()
  /** Why the jobs that were mended had failed, as a client had read it. */
  const mended = new Map<string, string>()

  return {
    orders,
    acknowledged,
    missed,
    changed,
    cancelAsked,
    deleted,
    askToCancel: (id) => void cancelAsked.add(id),
    delete: (id) => void deleted.add(id),
    order: (order) => void orders.set(order.wish.prompt, order),
    acknowledge: (id, owner) => void acknowledged.set(id, owner),
    miss: (id) => void missed.add(id),
    see(text) {
      const job = JSON.parse(text) as JobObject
      const end = ends.get(job.id)
      if (end !== undefined && end !== text) {
        const before = mended.get(job.id)
        if (before !== undefined) changed.set(job.id, [before, end, text])
        else if (!mayBecome(JSON.parse(end) as JobObject, job)) changed.set(job.id, [end, text])
        mended.set(job.id, end)
        ends.delete(job.id)
      }
      if (!ends.has(job.id) && job.status !== 'processing') ends.set(job.id, text)
      return job
    },
  }
}

function mayBecome(end: JobObject, next: JobObject): boolean {
  const isSame =
    end.created_at === next.created_at && JSON.stringify(end.input) === JSON.stringify(next.input)
  return isSame && (end.error?.startsWith('submit_ambiguous:') ?? false)
}

import type { TaskWish, VendorKind } from '../vendor/task-wish.ts'

/** The job object of the interface, as far as it is looked into here. */
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
}

/** Remembers what the service has been asked and what it has said, for the auditor. */
export interface Witness {
  /** By prompt, which no two orders share. */
  readonly orders: ReadonlyMap<string, Order>
  /** Owners by the ids of the jobs whose acceptance they were told of. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** Ids of jobs that were not there when they were asked for. */
  readonly missed: ReadonlySet<string>
  /**
   * Ids of jobs that were seen finished and, at a later look, otherwise. One change is allowed, once: a job that had failed
   * as `submit_ambiguous` goes on, because news of its task has come.
   */
  readonly changed: ReadonlySet<string>
  order(order: Order): void
  acknowledge(id: string, owner: string): void
  miss(id: string): void
  /** Takes a job object as it was read. */
  see(text: string): JobObject
}

export function createWitness(): Witness {
  const orders = new Map<string, Order>()
  const acknowledged = new Map<string, string>()
  const missed = new Set<string>()
  const changed = new Set<string>()
  const ends = new Map<string, string>()
  const mended = new Set<string>()

  return {
    orders,
    acknowledged,
    missed,
    changed,
    order: (order) => void orders.set(order.wish.prompt, order),
    acknowledge: (id, owner) => void acknowledged.set(id, owner),
    miss: (id) => void missed.add(id),
    see(text) {
      const job = JSON.parse(text) as JobObject
      const end = ends.get(job.id)
      if (end !== undefined && end !== text) {
        if (mended.has(job.id) || !mayBecome(JSON.parse(end) as JobObject, job)) changed.add(job.id)
        mended.add(job.id)
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

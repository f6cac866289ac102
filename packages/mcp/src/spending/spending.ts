import { type Client, GenmountError, type Job } from '@genmount/client'
import { ToolError } from '../tools/tool-error.ts'

/** A place that is kept free in the limit, for a job that is being created. */
export interface Reservation {
  /** The job was created, and counts with its cost from now on. */
  created(job: Job): void
  /** The create has failed. */
  failed(error: unknown): void
}

/** What a session has spent, and may spend. */
export interface Spending {
  /**
   * A create that is repeated with its key makes no job, and is let through.
   * @throws ToolError `spending_limit` when the session may not make this job now
   */
  reserve(
    client: Client<object>,
    priceUsd: number | undefined,
    idempotencyKey: string | undefined,
  ): Promise<Reservation>
  /** Takes note of a job as it is now. */
  observe(job: Job): void
}

/** So many finished jobs and idempotency keys are remembered, in order that no repeated create counts again. */
const maxRemembered = 10_000

/** Sums of prices such as 0.1 + 0.2 are a little off. */
const tolerance = 1e-9

/** Counts what the jobs of a session cost. It asks about jobs that it has not seen finished when a further one is wanted. */
export function createSpending(limitUsd: number): Spending {
  let spentUsd = 0
  /** Jobs that have not finished by id, and creates that are on their way, with the price where it is known. */
  const open = new Map<string | symbol, number | undefined>()
  const counted = new Set<string>()
  const usedKeys = new Set<string>()

  function observe(job: Job): void {
    if (job.status === 'processing' || !open.delete(job.id)) return
    spentUsd += job.cost_usd
    remember(counted, job.id)
  }

  async function look(client: Client<object>, id: string): Promise<void> {
    try {
      observe(await client.get(id))
    } catch (error) {
      if (!(error instanceof GenmountError) || error.status !== 404) throw error
      // The job was deleted, so nobody will say what it has cost.
      spentUsd += open.get(id) ?? 0
      open.delete(id)
    }
  }

  function check(priceUsd: number | undefined): void {
    const heldUsd = [...open.values()].reduce<number>((sum, price) => sum + (price ?? 0), 0)
    const said = `This session may spend ${limitUsd} USD, of which ${rounded(spentUsd)} USD are spent`
    const held = heldUsd > 0 ? ` and ${rounded(heldUsd)} USD are held for jobs that run` : ''
    if (
      spentUsd + heldUsd + (priceUsd ?? 0) > limitUsd + tolerance ||
      (priceUsd !== 0 && spentUsd >= limitUsd)
    )
      throw new ToolError(
        'spending_limit',
        `${said}${held}. ${priceUsd === undefined ? 'No job can be made any more.' : `This job would cost ${rounded(priceUsd)} USD.`} Ask the person you work for before you go on.`,
      )
    if (priceUsd === undefined && [...open.values()].includes(undefined))
      throw new ToolError(
        'spending_limit',
        `${said}${held}. A job runs whose cost is not known yet: wait for its end before you make the next.`,
      )
  }

  return {
    observe,
    async reserve(client, priceUsd, idempotencyKey) {
      if (idempotencyKey !== undefined && usedKeys.has(idempotencyKey)) return repeated
      const ids = [...open.keys()].filter((key) => typeof key === 'string')
      await Promise.all(ids.map((id) => look(client, id)))
      check(priceUsd)
      const key = Symbol('create')
      open.set(key, priceUsd)
      return {
        created(job) {
          open.delete(key)
          if (idempotencyKey !== undefined) remember(usedKeys, idempotencyKey)
          if (counted.has(job.id)) return
          open.set(job.id, priceUsd)
          observe(job)
        },
        failed(error) {
          open.delete(key)
          // Without an answer of the service there may be a job all the same.
          const isRefused = error instanceof GenmountError && error.status !== undefined
          if (!isRefused) spentUsd += priceUsd ?? 0
        },
      }
    },
  }
}

/** What was created or has failed counts already, or not at all. */
const repeated: Reservation = { created() {}, failed() {} }

/** Forgets the oldest when there are too many. */
function remember(texts: Set<string>, text: string): void {
  texts.add(text)
  const [oldest] = texts
  if (texts.size > maxRemembered && oldest !== undefined) texts.delete(oldest)
}

function rounded(usd: number): number {
  return Number(usd.toFixed(6))
}

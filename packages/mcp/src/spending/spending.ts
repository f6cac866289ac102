import type { Client, Job, Model } from '@genmount/client'
import { ToolError } from '../tools/tool-error.ts'
import { knownPriceUsd } from './known-price.ts'

/** A job that an agent wants. */
export interface WantedJob {
  /** The client with the key that pays. */
  readonly client: Client<object>
  /** Stands for this key. Creates of one key wait for each other. */
  readonly user: string
  readonly models: readonly Model[]
  readonly model: Model
  readonly fields: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
}

/** What agents may spend. */
export interface Spending {
  /**
   * Creates a job, if there is room for its cost. A create that is repeated with its key makes no job, and is let through.
   * @param create creates the job with these fields of its input
   * @throws ToolError `spending_limit` when the job may not be made now
   */
  create(wanted: WantedJob, create: (fields: WantedJob['fields']) => Promise<Job>): Promise<Job>
}

/** Jobs of so many milliseconds count. */
const windowMs = 86_400_000

/** By this metadata the service finds the jobs of agents again. */
const mark = { made_by: 'mcp' } as const
const keyName = 'mcp_idempotency_key'

/** For so many milliseconds a create waits for the one before. */
const patienceMs = 30_000

/** Sums of prices such as 0.1 + 0.2 are a little off. */
const tolerance = 1e-9

/**
 * Adds up what jobs of the last 24 hours have cost that agents have made with a key. The sum is that of the service, so it
 * is the same in all processes and after each restart. Nothing is remembered but which creates are under way.
 */
export function createSpending(limitUsd: number): Spending {
  const latest = new Map<string, Promise<unknown>>()

  async function createNow(wanted: WantedJob, create: Parameters<Spending['create']>[1]): Promise<Job> {
    const { client, models, model, idempotencyKey } = wanted
    const jobs: Job[] = []
    const created_after = new Date(Date.now() - windowMs)
    for await (const job of client.list({ metadata: mark, created_after, limit: 100 })) jobs.push(job)
    const isRepeated =
      idempotencyKey !== undefined && jobs.some(({ metadata }) => metadata?.[keyName] === idempotencyKey)
    const fields = marked(wanted)
    if (!isRepeated) check(limitUsd, jobs, models, knownPriceUsd(model, fields))
    return create(fields)
  }

  return {
    async create(wanted, create) {
      const { user } = wanted
      // One after the other, so that each finds the job of the one before in the list.
      const created = settled(latest.get(user)).then(() => createNow(wanted, create))
      latest.set(user, created)
      try {
        return await created
      } finally {
        if (latest.get(user) === created) latest.delete(user)
      }
    },
  }
}

/** Waits for the end of a create, for a bounded time: what a worker has begun for a client that left may never end. */
async function settled(create: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)))
  if (create !== undefined) await Promise.race([create.catch(() => {}), patience])
  clearTimeout(timer)
}

/** The input, whose metadata say that an agent has made the job. What are no metadata, the service refuses. */
function marked({ fields, idempotencyKey }: WantedJob): WantedJob['fields'] {
  const { metadata = {} } = fields
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return fields
  const key = idempotencyKey === undefined ? {} : { [keyName]: idempotencyKey }
  return { ...fields, metadata: { ...metadata, ...mark, ...key } }
}

/** @throws ToolError `spending_limit` */
function check(
  limitUsd: number,
  jobs: readonly Job[],
  models: readonly Model[],
  priceUsd: number | undefined,
): void {
  const running = jobs.filter(({ status }) => status === 'processing').map((job) => priceOf(job, models))
  const spentUsd = jobs.reduce((sum, job) => sum + (job.status === 'processing' ? 0 : job.cost_usd), 0)
  const heldUsd = running.reduce<number>((sum, price) => sum + (price ?? 0), 0)
  const held = heldUsd > 0 ? ` and ${rounded(heldUsd)} USD are held for jobs that run` : ''
  const said = `Agents may spend ${limitUsd} USD in 24 hours with this key, of which ${rounded(spentUsd)} USD are spent${held}.`
  if (
    spentUsd + heldUsd + (priceUsd ?? 0) > limitUsd + tolerance ||
    (priceUsd !== 0 && spentUsd >= limitUsd)
  ) {
    const wish =
      priceUsd === undefined ? 'No job can be made now.' : `This job would cost ${rounded(priceUsd)} USD.`
    throw new ToolError('spending_limit', `${said} ${wish} Ask the person you work for before you go on.`)
  }
  if (priceUsd === undefined && running.includes(undefined))
    throw new ToolError(
      'spending_limit',
      `${said} A job runs whose cost is not known yet: wait for its end before you make the next.`,
    )
}

/** What a job that runs will cost, as far as the price of its model says so. */
function priceOf(job: Job, models: readonly Model[]): number | undefined {
  const model = models.find(({ id }) => id === job.model)
  return model && knownPriceUsd(model, job.input)
}

function rounded(usd: number): number {
  return Number(usd.toFixed(6))
}

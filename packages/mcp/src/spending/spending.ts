import { type Client, type Job, knownPriceUsd, type Model } from '@genmount/client'
import { ToolError } from '../tools/tool-error.ts'

/** A job that an agent wants. */
export interface WantedJob {
  /** The client with the key that pays. */
  readonly client: Client<object>
  /** Identifies this key. Creates with the same key run one after the other. */
  readonly user: string
  readonly models: readonly Model[]
  readonly model: Model
  readonly fields: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | undefined
}

/** The spending limit of agents. */
export interface Spending {
  /**
   * Creates a job if its cost fits into the limit. A repeated create with the same idempotency key makes no new job, so
   * it always passes.
   * @param create creates the job with these fields of its input
   * @throws ToolError `spending_limit` when the job may not be made now
   */
  create(wanted: WantedJob, create: (fields: WantedJob['fields']) => Promise<Job>): Promise<Job>
}

/** How old a job may be and still count, in milliseconds. */
const windowMs = 86_400_000

/** The metadata by which the service finds the jobs of agents. */
const mark = { made_by: 'mcp' } as const
const keyName = 'mcp_idempotency_key'

/** How long a create waits for the create before it, in milliseconds. */
const patienceMs = 30_000

/** In US dollars. Floating-point sums of prices, such as 0.1 + 0.2, have rounding errors. */
const tolerance = 1e-9

/**
 * Limits what agents spend with one key. It adds up the cost of the jobs that agents created with the key in the last
 * 24 hours. The jobs come from the service, so the sum is the same in all processes and after a restart. The only state
 * in this process is which creates are under way.
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
      // Creates run one after the other, so that each create finds the job of the previous create in the list.
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

/** Waits until a create has ended, but at most 30 seconds. On workers, a create whose client has left may never end. */
async function settled(create: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)))
  if (create !== undefined) await Promise.race([create.catch(() => {}), patience])
  clearTimeout(timer)
}

/**
 * Marks the job as made by an agent in the metadata of its input. Invalid metadata stay unchanged, because the service
 * refuses them.
 */
function marked({ fields, idempotencyKey }: WantedJob): WantedJob['fields'] {
  const { metadata = {} } = fields
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return fields
  // If the agent has set this name itself, the create would look like a repeated one.
  const { [keyName]: _, ...own } = metadata as Readonly<Record<string, unknown>>
  const key = idempotencyKey === undefined ? {} : { [keyName]: idempotencyKey }
  return { ...fields, metadata: { ...own, ...mark, ...key } }
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
      `${said} Another job is running whose cost is not known yet. Wait until it has ended before you make the next one.`,
    )
}

/** The expected cost of a running job. `undefined` if the price of its model does not say. */
function priceOf(job: Job, models: readonly Model[]): number | undefined {
  const model = models.find(({ id }) => id === job.model)
  return model && knownPriceUsd(model, job.input)
}

function rounded(usd: number): number {
  return Number(usd.toFixed(6))
}

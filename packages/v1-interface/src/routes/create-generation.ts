import type { Job, JobRequest, OutputKind } from '@genmount/core'
import { readJsonBody, withJsonBody } from '../body/with-json-body.ts'
import type { Answer, Exchange, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import {
  createRequest,
  preferredWaitSeconds,
  idempotencyKey,
  readDryRun,
  readWait,
  spendUsdPerDay,
} from '../wire/create-request.ts'
import { estimateReply } from '../wire/estimate-reply.ts'
import { jobStatus, jobUrl, jobReply } from '../wire/job-reply.ts'

/**
 * POST /v1/generate, /v1/video/generations and /v1/images/generations: creates a job, and waits for it if the client
 * asks for that; or says what would become of the job.
 * @param outputKind the one kind of output that the path accepts. @default every kind
 */
export function createGeneration(context: RouteContext, outputKind?: OutputKind): Answer<OwnedExchange> {
  const { service } = context

  function orderOf({ owner, keyId, request }: OwnedExchange, body: unknown): JobRequest {
    const { model, metadata, ...input } = createRequest(body)
    return {
      owner,
      ...(keyId !== undefined && { keyId }),
      model,
      metadata,
      input,
      outputKind,
      spendUsdPerDay: spendUsdPerDay(request.header('x-spend-usd-per-day')),
    }
  }

  // A function of its own, so that a request that waits for its job keeps nothing of its exchange.
  async function estimated(exchange: OwnedExchange): Promise<V1Reply> {
    const reading = withJsonBody(exchange, context, (body) => service.estimate(orderOf(exchange, body)))
    return estimateReply(await reading)
  }

  return async (exchange) => {
    const { request, owner, baseUrl, route } = exchange
    const wait = waitWish(exchange)
    if (readDryRun(exchange) === 'true') return estimated(exchange)
    const key = idempotencyKey(request.header('idempotency-key'))
    const reading = readJsonBody(exchange, context)
    const body = reading instanceof Promise ? await reading : reading
    let accepted: Awaited<ReturnType<typeof service.create>>
    try {
      accepted = await service.create({
        ...orderOf(exchange, body.value),
        idempotency: key === undefined ? undefined : { key, scope: route },
      })
    } finally {
      body.letGo()
    }
    const { job, replayed, budgetLeftUsd } = accepted
    const headers: Record<string, string> = { location: jobUrl(job, baseUrl) }
    if (replayed) headers['idempotency-replayed'] = 'true'
    if (budgetLeftUsd !== undefined) headers['x-budget-remaining-usd'] = String(budgetLeftUsd)
    if (!wait.isWanted) return jobReply(job, 202, baseUrl, headers)
    if (wait.seconds !== undefined) {
      const seconds = Math.min(wait.seconds, Math.floor(service.waitBudgetMs / 1000))
      headers['preference-applied'] = `wait=${seconds}`
    }
    const show = (latest: Job) =>
      jobReply(latest, jobStatus(latest) === 'processing' ? 202 : 200, baseUrl, headers)
    // Not awaited, because then this function and the body that it has read would stay in memory until the
    // job is done.
    return service.waitFor(job.id, owner, waitOptions(exchange, wait)).then(show, (error: unknown) => {
      // The job is stored and may cost money, so the client must learn its id even when the wait fails.
      service.log.error(`Waiting for job ${job.id} failed.`, { job: job.id, cause: error })
      return show(job)
    })
  }
}

interface WaitWish {
  readonly isWanted: boolean
  /** How many seconds the header `Prefer: wait=N` asks for. */
  readonly seconds?: number
}

function waitWish(exchange: Exchange): WaitWish {
  const wait = readWait(exchange)
  if (wait === 'false') return { isWanted: false }
  const seconds = preferredWaitSeconds(exchange.request.header('prefer'))
  return seconds === undefined ? { isWanted: wait === 'true' } : { isWanted: true, seconds }
}

function waitOptions({ request }: Exchange, { seconds }: WaitWish) {
  return {
    ...(seconds !== undefined && { budgetMs: seconds * 1000 }),
    ...(request.onLeave && { onLeave: request.onLeave }),
  }
}

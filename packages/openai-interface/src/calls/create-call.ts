import { GenerationError, type GenerationService, type Job, type Model, sha256Hex } from '@genmount/core'
import { idempotencyKey, type OwnedExchange } from '@genmount/v1-interface'
import type { CallMemory } from './call-memory.ts'
import { earlierCall, sdkScope, triesBefore } from './earlier-call.ts'

/** What one request of a client orders: one job, or several that are answered together. */
export interface Order {
  readonly model: Model
  /** The input of each job. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  /** The metadata of each job. @default none */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** The jobs of a request. */
export interface Call {
  readonly jobs: readonly Job[]
  /** Whether the jobs were made by an earlier request. */
  readonly replayed: boolean
  /** What is left with the jobs of the budgets of the owner and the key, in US dollars. `undefined` without budgets. */
  readonly budgetLeftUsd: number | undefined
  /** Called when the client leaves before it has its answer. */
  readonly lost: () => void
}

/** Creates the jobs of a request, or finds those that an earlier try of the same request has created. */
export type CreateCall = (exchange: OwnedExchange, order: Order) => Promise<Call>

/**
 * Makes the function that creates jobs. It recognises a repeated request
 * - by its header `Idempotency-Key`, always;
 * - by the header `X-Stainless-Retry-Count`, with which OpenAI's SDKs say that they send a request again by themselves, and
 *   by the same body: such a request gets the jobs of the first try. If several first tries were equal to the byte, one
 *   whose client has no answer is taken, and otherwise the newest: no try is ever paid for twice.
 */
export function createCalls(service: GenerationService, memory: CallMemory): CreateCall {
  async function create(
    { owner, keyId }: OwnedExchange,
    { model, inputs, metadata }: Order,
    idempotency: { readonly scope: string; readonly key: string } | undefined,
    callId: string,
  ): Promise<Omit<Call, 'lost'>> {
    const jobs: Job[] = []
    let isReplayed = true
    let leftUsd: number | undefined
    // Only calls with several jobs need the mark. With it, a key that comes again with another `n` is refused.
    const part = (index: number) =>
      inputs.length > 1 && { group: callId, part: `${index + 1} of ${inputs.length}` }
    for (const [index, input] of inputs.entries()) {
      try {
        const { job, replayed, budgetLeftUsd } = await service.create({
          owner,
          keyId,
          model: model.id,
          outputKind: model.outputKind,
          input,
          metadata: { ...metadata, ...part(index) },
          ...(idempotency && {
            idempotency: { scope: idempotency.scope, key: `${idempotency.key}#${index}` },
          }),
        })
        jobs.push(job)
        isReplayed &&= replayed
        leftUsd = budgetLeftUsd
      } catch (refusal) {
        // What is made already is paid for, so the client gets it.
        if (jobs.length === 0 || isOtherBody(refusal)) throw refusal
        break
      }
    }
    return { jobs, replayed: isReplayed, budgetLeftUsd: leftUsd }
  }

  async function createOnce(exchange: OwnedExchange, order: Order, tries: number): Promise<Call> {
    const { owner, route } = exchange
    const body = JSON.stringify([route, order.model.id, order.inputs])
    const fingerprint = await sha256Hex(new TextEncoder().encode(body))
    const like = `${owner} ${fingerprint}`
    const isRetry = tries > 0
    if (isRetry) await memory.settled(like)
    const isRefused = isRetry && memory.takeRefusal(like)
    const earlier =
      isRetry && !isRefused
        ? await earlierCall({ service, memory }, exchange, { model: order.model.id, fingerprint, tries })
        : undefined
    const callId = earlier ?? crypto.randomUUID()
    memory.holds(callId)
    const created = create(exchange, order, { scope: sdkScope, key: `${fingerprint}.${callId}` }, callId)
    memory.creates(like, created)
    try {
      return { ...(await created), lost: () => memory.lost(callId) }
    } catch (refusal) {
      memory.refused(like)
      throw refusal
    }
  }

  return async (exchange, order) => {
    const key = idempotencyKey(exchange.request.header('idempotency-key'))
    const { route } = exchange
    if (key !== undefined)
      return { ...(await create(exchange, order, { scope: route, key }, key)), lost() {} }
    const tries = triesBefore(exchange)
    if (tries !== undefined) return createOnce(exchange, order, tries)
    return { ...(await create(exchange, order, undefined, crypto.randomUUID())), lost() {} }
  }
}

function isOtherBody(error: unknown): boolean {
  return error instanceof GenerationError && error.code === 'idempotency_key_reused'
}

import { GenerationError, type GenerationService, type Job, type JobPage } from '@genmount/core'
import type { OwnedExchange } from '@genmount/v1-interface'
import type { CallMemory } from './call-memory.ts'

/** The scope of the keys that are made for the SDKs that send none. */
export const sdkScope = 'openai-sdk'

/** How long one try of OpenAI's SDKs takes at most if they do not say it, in seconds. */
const usualTimeoutSeconds = 600
/** How long an SDK pauses between two tries at most, in seconds: a minute after `Retry-After`, and the way to here. */
const pauseSeconds = 75
/** How many pages of the owner's jobs are searched at most. */
const maxPages = 20

/**
 * How many tries of this request an SDK of OpenAI has made before, from the header that all of them send. `undefined` for
 * other clients.
 */
export function triesBefore({ request }: OwnedExchange): number | undefined {
  const header = request.header('x-stainless-retry-count')
  return header !== undefined && /^\d{1,3}$/.test(header) ? Number(header) : undefined
}

/**
 * Finds the call that an SDK now sends again: with the same owner and body, made within the time in which the tries before
 * this one may have begun.
 * @returns its id
 */
export async function earlierCall(
  {
    service,
    memory,
  }: { readonly service: Pick<GenerationService, 'clock' | 'list'>; readonly memory: CallMemory },
  { owner, request }: OwnedExchange,
  wanted: { readonly model: string; readonly fingerprint: string; readonly tries: number },
): Promise<string | undefined> {
  const { model, fingerprint, tries } = wanted
  // OpenAI's SDK for JavaScript says how long it waits, the one for Python only how long it waits for the answer to begin.
  const seconds = Number(
    request.header('x-stainless-timeout') ??
      request.header('x-stainless-read-timeout') ??
      usualTimeoutSeconds,
  )
  const timeoutSeconds = seconds > 0 ? Math.min(seconds, 24 * 3600) : usualTimeoutSeconds
  const createdFrom = Math.floor(service.clock.now() - tries * (timeoutSeconds + pauseSeconds) * 1000)
  let newest: string | undefined
  let after: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { jobs, next } = await service.list({ owner, model, createdFrom, limit: 100, after }).catch(noList)
    for (const job of jobs) {
      const callId = callOf(job, owner, fingerprint)
      if (callId === undefined) continue
      if (!memory.isHeld(callId)) return callId
      newest ??= callId
    }
    if (next === undefined) break
    after = next
  }
  return newest
}

/** The id of the call that has made a job, if its body had this fingerprint. */
function callOf({ idempotency }: Job, owner: string, fingerprint: string): string | undefined {
  const begin = JSON.stringify([owner, sdkScope, `${fingerprint}.`]).slice(0, -2)
  if (!idempotency?.key.startsWith(begin)) return undefined
  return /^[\da-f-]+/.exec(idempotency.key.slice(begin.length))?.[0]
}

/** A job store without lists can't find an earlier call. Its clients need keys of their own. */
function noList(error: unknown): JobPage {
  if (error instanceof GenerationError && error.code === 'not_supported') return { jobs: [] }
  throw error
}

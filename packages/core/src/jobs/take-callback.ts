import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Json } from '../contracts/json.ts'
import type { Log } from '../contracts/log.ts'
import type { CallbackRequest, Provider } from '../contracts/provider.ts'
import type { Scheduler } from '../contracts/scheduler.ts'
import type { Routes } from '../routing/routes.ts'
import { type CallbackRecord, callbackToken } from './callbacks.ts'
import { nextJob } from './job-machine.ts'
import { jsonCopy } from './json-copy.ts'
import { minPollIntervalMs } from './poll-schedule.ts'
import type { CallbackAddress } from './service-api.ts'
import { sha256Hex } from './sha256-hex.ts'
import { shortText } from './short-text.ts'

export interface CallbackContext {
  readonly jobs: JobStore
  readonly routesOf: (model: string) => Routes | undefined
  readonly callbacks: CallbackRecord
  readonly scheduler: Scheduler
  readonly clock: Clock
  readonly log: Log
  /** Takes a job's next step. */
  readonly advance: (jobId: string) => Promise<void>
}

/** Takes callbacks as hints to poll: what they say is asked of the provider, by whom it would be asked anyway. */
export function callbackTaker({
  jobs,
  routesOf,
  callbacks,
  scheduler,
  clock,
  log,
  advance,
}: CallbackContext) {
  return async (jobId: string, request: CallbackRequest, address?: CallbackAddress): Promise<boolean> => {
    const job = await jobs.get(jobId)
    const provider = job && routesOf(job.model)?.of(job)?.provider
    if (!job || !provider?.readCallback || !(await isAddressOf(address, provider, job))) return false
    let handle: Json | undefined
    try {
      handle = jsonCopy(await provider.readCallback(request))
    } catch (error) {
      log.warn(
        `A callback of provider ${provider.name} for job ${jobId} was not accepted: ${shortText(error)}`,
      )
      return false
    }
    if (handle === undefined) return false
    callbacks.heard(provider.name, jobId)
    await hint(job, handle)
    return true
  }

  async function hint(job: Job, handle: Json): Promise<void> {
    const now = clock.now()
    const pollAt = Math.max(now, (job.checkedAt ?? 0) + minPollIntervalMs)
    const event =
      job.phase === 'submitting'
        ? ({ type: 'adopted', handle } as const)
        : ({ type: 'hinted', pollAt } as const)
    const hinted = nextJob(job, event, now)
    // Refused or stale: somebody is asking the provider at this moment, or has nothing to ask any more.
    if (typeof hinted !== 'string') await jobs.replace(hinted, job.revision)
    scheduler.wakeAt(job.id, pollAt)
    void advance(job.id)
  }
}

async function isAddressOf(
  address: CallbackAddress | undefined,
  { name }: Provider,
  job: Job,
): Promise<boolean> {
  if (!address) return true
  // By their hashes, so that the time which the comparison takes tells nothing of the token.
  const [given, own] = await Promise.all([address.token, await callbackToken(job)].map(hashOf))
  return address.provider === name && given === own
}

function hashOf(token: string): Promise<string> {
  return sha256Hex(new TextEncoder().encode(token))
}

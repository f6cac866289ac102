import type { CallbackAddress } from '../contracts/callbacks.ts'
import type { Job } from '../contracts/job.ts'
import type { CallbackRequest, Provider } from '../contracts/provider.ts'
import type { PluginHost } from '../contracts/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import type { CallbackRecord } from './callback-record.ts'
import { type StoredNews, storedNews } from './callback-news.ts'
import { callbackToken, takesCallbacks } from './callback-url.ts'
import { nextJob } from '../job/job-machine.ts'
import { awaitsAnswer, heardAt, isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import { isExpired } from '../job/deleted-job.ts'
import { sha256Hex } from '../text/sha256-hex.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** How many times to try to write a callback to its job while other writes to the job win. */
const maxTries = 10
/** How long a provider's `readCallback` may take, in milliseconds. */
const readLimitMs = 10_000
/** The token is a SHA-256 in hexadecimal. */
const tokenLength = 64

/**
 * Makes the service's `receiveCallback`. A callback causes a poll, which reads the state of the task from the provider.
 * The handle in the callback is used if the answer to the submit was lost, and the report in it if the poll does not
 * bring the end of the task. Both come only from callbacks that the provider has verified. For a provider whose callbacks
 * are only hints, the callback must come to the job's own URL, and its body is not read.
 */
export function callbackTaker(
  { jobs, providers, taskHolderOf, wake, clock, sureNow, log }: PluginHost,
  callbacks: CallbackRecord,
) {
  return async (
    jobId: string,
    request: CallbackRequest | (() => Promise<CallbackRequest>),
    address?: CallbackAddress,
  ): Promise<boolean> => {
    if (address && !mayBeAddress(address)) return false
    const job = await jobs.get(jobId)
    if (job && isExpired(job, sureNow())) return false
    const holder = job && taskHolderOf(job)
    if (!job || !holder || !takesCallbacks(holder.provider)) return false
    const { provider } = holder
    if (address ? !(await isAddressOf(address, provider, job)) : !provider.readCallback) return false
    if (!provider.readCallback) {
      callbacks.heard(provider.name, jobId)
      await record(job)
      return true
    }
    const callback = typeof request === 'function' ? await request() : request
    let news: StoredNews
    try {
      const read = withinLimit(clock, readLimitMs, `provider ${provider.name}`, async () =>
        provider.readCallback?.(callback, await holder.task()),
      )
      news = storedNews(await read)
    } catch (error) {
      log.warn(
        `A callback of provider ${provider.name} for job ${jobId} was not accepted: ${shortText(error)}`,
        fieldsOf(job, provider.name),
      )
      return false
    }
    if (news.handle === undefined) return false
    callbacks.heard(provider.name, jobId)
    // If the body had to be read, the job may have changed in the meantime, so the job is read again.
    await record(typeof request === 'function' ? await jobs.get(jobId) : job, news)
    return true
  }

  /** `false` for an address that no job can have. This is decided without a read of the store. */
  function mayBeAddress({ provider, token }: CallbackAddress): boolean {
    return (
      token.length === tokenLength &&
      providers.some((candidate) => candidate.name === provider && takesCallbacks(candidate))
    )
  }

  /**
   * Writes to the job that the callback has arrived, even while a process holds a claim on the job.
   * @param news what the callback says. @default it names no task
   * @throws GenerationError `store_unavailable` when the write fails, so that the vendor sends the callback again
   */
  async function record(
    stored: Job | undefined,
    { handle, report }: Partial<StoredNews> = {},
  ): Promise<void> {
    let job = stored
    for (let tries = 0; job && tries < maxTries; tries++) {
      const now = clock.now()
      const pollAt = Math.max(now, (heardAt(job) ?? 0) + minPollIntervalMs)
      const event =
        handle !== undefined && awaitsAnswer(job)
          ? ({ type: 'adopted', handle, report } as const)
          : ({ type: 'hinted', pollAt, report } as const)
      const hinted = nextJob(job, event, now)
      // The callback brings no news: the outputs are known, the job has finished, or an earlier callback told the same.
      if (typeof hinted === 'string') return
      const { written, instead } = await replaceJob(jobs, hinted, job)
      if (written) {
        if (isFinished(job))
          log.warn(
            `${whose(written)} continues: its callback has arrived after the job failed.`,
            fieldsOf(written),
          )
        return wake(job.id, pollAt)
      }
      job = instead
    }
    if (job)
      throw new GenerationError('store_unavailable', 'The callback could not be recorded. Send it again.')
  }
}

async function isAddressOf(address: CallbackAddress, { name }: Provider, job: Job): Promise<boolean> {
  // It compares hashes, so that the duration of the comparison reveals nothing about the token.
  const [received, own] = await Promise.all([address.token, await callbackToken(job)].map(hashOf))
  return address.provider === name && received === own
}

function hashOf(token: string): Promise<string> {
  return sha256Hex(new TextEncoder().encode(token))
}

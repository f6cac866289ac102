import { type CallbackMethods, callbackPath, type CallbackAddress } from '../contracts/plugin/callbacks.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { checkMountUrl } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import type { Job } from '../contracts/job.ts'
import type { CallbackRequest } from '../contracts/callback-request.ts'
import type { Provider } from '../contracts/provider.ts'
import { sha256OfText } from '../text/sha256-hex.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { nextJob } from '../job/job-machine.ts'
import { awaitsAnswer, heardAt, isFinished } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import { isExpired } from '../job/deleted-job.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Json } from '../contracts/json.ts'
import type { FinalReport, ProviderReport } from '../contracts/provider-report.ts'
import { checkReport } from '../outputs/check-report.ts'
import { jsonCopy } from '../text/json-values.ts'
import { lastUsed } from '../lists/last-used.ts'

/** The options of {@link callbacks}. */
export interface CallbacksOptions {
  /** The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. */
  readonly baseUrl: string
}

const table = { baseUrl: checkMountUrl } satisfies OptionTable<CallbacksOptions>

/**
 * Lets vendors call back: providers that have `readCallback` or `callbacksAreHints` ask their vendors for callbacks. While
 * these arrive, the service polls the providers less often. All processes that share a backend need it.
 * @throws TypeError when `baseUrl` is wrong
 * @example createGenerationService({ providers, plugins: [callbacks({ baseUrl: 'https://app.example/media' })] })
 */
export function callbacks(options: CallbacksOptions): ServicePlugin<CallbackMethods> {
  const { baseUrl } = checkOptions('callbacks', options, table)
  return {
    name: 'callbacks',
    attach(host) {
      const record = callbackRecord()
      const take = callbackTaker(host, record)
      const jobOf = jobOfCallback(host)
      return {
        vendorCallbacks: {
          urlOf: (job, provider) => callbackUrlOf(baseUrl, provider, job),
          arriveFrom: record.comeFrom,
        },
        // A task that ends within its submit is over before a callback could come.
        wrote(job, before) {
          if (before?.phase === 'running' && job.phase !== 'running' && job.provider !== undefined)
            record.ended(job.provider, job.id)
        },
        methods: {
          receiveCallback(jobId, request, address) {
            if (!host.closing.hasEnded) host.start()
            return take(jobId, request, address)
          },
          async receiveAccountCallback(name, read) {
            const provider = host.providers.find((one) => one.name === name && one.jobOfCallback)
            if (!provider) return false
            if (!host.closing.hasEnded) host.start()
            const request = await read()
            const named = await jobOf(provider, request)
            if (named?.jobId !== undefined) await take(named.jobId, request)
            return named !== undefined
          },
        },
      }
    },
  }
}

/**
 * The secret part of a job's callback URL. Any process of the service can calculate it from the job's `clientToken`. It
 * can't be calculated from anything else in the job.
 */
function callbackToken({ clientToken }: Job): Promise<string> {
  return sha256OfText(`callback ${clientToken}`)
}

/** The shortest pause between two log lines about callbacks that are not genuine, in milliseconds: anybody can send one. */
const warnPauseMs = 60_000

/** Makes what asks a provider for the job of a callback of its account. It returns `undefined` when the callback is not genuine. */
function jobOfCallback({ clock, log }: PluginHost) {
  let warnAgainAt = Number.NEGATIVE_INFINITY
  return async (
    provider: Provider,
    request: CallbackRequest,
  ): Promise<{ readonly jobId: string | undefined } | undefined> => {
    const { name } = provider
    const controller = new AbortController()
    const { signal } = controller
    try {
      const read = async () => provider.jobOfCallback?.(request, { signal })
      return { jobId: await withinLimit(clock, readLimitMs, `provider ${name}`, read) }
    } catch (error) {
      controller.abort()
      const now = clock.uptime()
      if (now < warnAgainAt) return undefined
      warnAgainAt = now + warnPauseMs
      log.warn(`A callback of provider ${name} was not accepted: ${shortText(error)}`, { provider: name })
      return undefined
    }
  }
}

/** Whether the vendor may call back. */
function takesCallbacks({ readCallback, callbacksAreHints }: Provider): boolean {
  return readCallback !== undefined || callbacksAreHints === true
}

/** The URL to which the vendor may send its callback for the job; `undefined` if the provider takes none. */
function callbackUrlOf(baseUrl: string, provider: Provider, job: Job): Promise<string> | undefined {
  return takesCallbacks(provider) ? urlWith(baseUrl, provider, job) : undefined
}

async function urlWith(baseUrl: string, provider: Provider, job: Job): Promise<string> {
  const parts: Readonly<Record<string, string>> = {
    provider: encodeURIComponent(provider.name),
    job: job.id,
    token: await callbackToken(job),
  }
  return baseUrl + callbackPath.replace(/:(\w+)/g, (_, part: string) => parts[part] ?? '')
}

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
function callbackTaker(
  { jobs, providers, taskHolderOf, wake, clock, sureNow, log }: PluginHost,
  arrivals: CallbackRecord,
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
      arrivals.heard(provider.name, jobId)
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
    arrivals.heard(provider.name, jobId)
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
  const [received, own] = await Promise.all([address.token, await callbackToken(job)].map(sha256OfText))
  return address.provider === name && received === own
}

/** The longest report that is stored with a job, in characters of JSON. */
const longestReport = 65_536

/** What a callback says, as far as it can be stored. */
interface StoredNews {
  /** `undefined` when the provider returns something that is not JSON. */
  readonly handle: Json | undefined
  /** Absent when the task has not ended, and when an output is bytes: the poll then brings the end. */
  readonly report?: FinalReport | undefined
}

/** @param read what `readCallback` has returned: a handle, or a handle and a report */
function storedNews(read: unknown): StoredNews {
  if (typeof read !== 'object' || read === null || !('handle' in read && 'report' in read))
    return { handle: jsonCopy(read) }
  const report = checkReport(read.report)
  return {
    handle: jsonCopy(read.handle),
    report: typeof report === 'string' ? undefined : finalReport(report),
  }
}

function finalReport(report: ProviderReport): FinalReport | undefined {
  if (report.state !== 'succeeded' && report.state !== 'failed') return undefined
  if (report.state === 'succeeded' && report.outputs.some((output) => 'bytes' in output)) return undefined
  const { cause: _, ...stored } = { cause: undefined, ...report }
  return JSON.stringify(stored).length <= longestReport
    ? (jsonCopy(stored) as unknown as FinalReport)
    : undefined
}

/**
 * Remembers which providers' callbacks reach this process. The jobs of a provider whose callbacks arrive are polled
 * less often.
 */
interface CallbackRecord {
  /** Records that a callback for the job has arrived. */
  heard(provider: string, jobId: string): void
  /**
   * Whether the provider's callbacks arrive: `false` before the first one, and after a job has finished without one.
   */
  comeFrom(provider: string): boolean
  /** Records that the provider has finished the job. */
  ended(provider: string, jobId: string): void
}

const maxJobs = 100_000

/** Makes an empty record, which remembers at most 100000 jobs. */
function callbackRecord(): CallbackRecord {
  const heardOf = lastUsed<true>(maxJobs)
  const coming = new Set<string>()
  return {
    heard(provider, jobId) {
      heardOf.set(jobId, true)
      coming.add(provider)
    },
    comeFrom: (provider) => coming.has(provider),
    ended(provider, jobId) {
      if (!heardOf.delete(jobId)) coming.delete(provider)
    },
  }
}

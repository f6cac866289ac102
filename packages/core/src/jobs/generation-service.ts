import type { Job } from '../contracts/job.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { systemClock } from '../defaults/system-clock.ts'
import { checkChoice, checkCount } from '../errors/check-option.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { jobAcceptor } from './accept-job.ts'
import { jobAdvancer } from './advance-job.ts'
import { callbackRecord, checkCallbackBaseUrl } from './callbacks.ts'
import { ending } from './ending.ts'
import { isClaimed, isFinished, mayStep } from './job-machine.ts'
import { copierFor } from './keep-outputs.ts'
import { modelCatalogue } from './model-catalogue.ts'
import { pollSchedule } from './poll-schedule.ts'
import { isExpired } from './retention.ts'
import type { GenerationService, GenerationServiceOptions } from './service-api.ts'
import { startSweep } from './sweep.ts'
import { callbackTaker } from './take-callback.ts'
import { tellFaults } from './tell-faults.ts'
import { unfailingLog } from './unfailing-log.ts'
import { waitingRoom } from './wait-budget.ts'

/** How long a read waits for a poll that it has asked for or joined. */
const syncBudgetMs = 2000
const longestTimerMs = 2 ** 31 - 1

/**
 * Makes a job service of providers. Starts nothing until its first use or `start()`.
 * @throws TypeError when an option is wrong or two models share an id
 * @example createGenerationService({ providers: [proceduralProvider()] })
 */
export function createGenerationService(options: GenerationServiceOptions): GenerationService {
  const { onAmbiguousSubmit = 'fail', admit = () => {}, files = memoryFileStore() } = options
  checkChoice('onAmbiguousSubmit', onAmbiguousSubmit, ['fail', 'resubmit'])
  const log = unfailingLog(options.log ?? console)
  const clock = options.clock ?? systemClock()
  const backend = options.backend ?? memoryBackend({ clock })
  const retentionDays = checkCount('retentionDays', options.retentionDays ?? 7, 1, 3650)
  const deadlineMs = checkCount('deadlineMs', options.deadlineMs ?? 30 * 60_000)
  const waitBudgetMs = checkCount('waitBudgetMs', options.waitBudgetMs ?? 55_000, 0, longestTimerMs)
  const maxWaiters = checkCount('maxWaiters', options.maxWaiters ?? 10_000, 0)
  const { models, modelOf, routesOf, providers } = modelCatalogue(options.providers, clock, log)
  const { scheduler, signals } = backend
  const jobs = tellFaults(backend.jobs)

  const callbacks = callbackRecord()
  const closing = ending()
  const waiters = waitingRoom({ signals, clock, read, maxWaiters })
  const readers = waitingRoom({ signals, clock, read, maxWaiters: Number.POSITIVE_INFINITY })
  const { advance, laneOf, settled } = jobAdvancer({
    jobs,
    files,
    scheduler,
    signals,
    clock,
    log,
    routesOf,
    callbacks,
    callbackBaseUrl: checkCallbackBaseUrl(options.callbackBaseUrl),
    copyOutputs: copierFor(options, { files, clock, log, closing }),
    onAmbiguousSubmit,
    schedule: pollSchedule(models),
    closing,
  })
  const accept = jobAcceptor({
    jobs: { ...jobs, insert: (job) => whileCreating(jobs.insert(job)) },
    models,
    modelOf,
    async admit(admission) {
      await admit(admission)
      // The service may have closed meanwhile, and nobody would make the job.
      start()
    },
    retentionDays,
    deadlineMs,
    now: clock.now,
  })

  const takeCallback = callbackTaker({ jobs, routesOf, callbacks, scheduler, clock, log, advance })
  const creating = new Set<Promise<unknown>>()
  let stopSweep: (() => Promise<void>) | undefined
  let closed: Promise<void> | undefined

  function start(): void {
    if (closed) throw new GenerationError('shutting_down', 'The service is shutting down.')
    if (stopSweep) return
    if (!backend.durable) log.warn('genmount keeps jobs in memory: they are lost when this process ends.')
    scheduler.start((jobId) => void advance(jobId))
    stopSweep = startSweep({ jobs, files, clock, log, advance, laneOf })
  }

  /** What is being stored as the service closes is stored, and its owner told. */
  function whileCreating<Result>(stored: Promise<Result>): Promise<Result> {
    creating.add(stored)
    return stored.finally(() => creating.delete(stored))
  }

  async function read(id: string, owner: string): Promise<Job> {
    return shownTo(owner, await jobs.get(id))
  }

  function shownTo(owner: string, job: Job | undefined): Job {
    if (job && job.owner === owner && !isExpired(job, clock.now())) return job
    throw new GenerationError('job_not_found', 'There is no such job, or it has expired.')
  }

  async function shutDown(): Promise<void> {
    closing.end()
    const stopped = closePart('scheduler', () => scheduler.stop())
    waiters.close()
    readers.close()
    await Promise.all([stopSweep?.(), stopped])
    await Promise.allSettled(creating)
    await settled()
    await Promise.all(
      [...providers].map((provider) => closePart(`provider ${provider.name}`, () => provider.close?.())),
    )
    await closePart('file store', () => files.close?.())
    await closePart('backend', () => backend.close())
  }

  /** A part that can't close must not keep the others open. */
  async function closePart(name: string, close: () => Promise<void> | undefined): Promise<void> {
    try {
      await close()
    } catch (error) {
      log.error(`The ${name} could not be closed.`, error)
    }
  }

  return {
    models,
    clock,
    files,
    log,
    waitBudgetMs,
    start,

    async create(request) {
      start()
      const accepted = await accept(request)
      if (!accepted.replayed) void advance(accepted.job.id)
      return accepted
    },

    async get(id, owner) {
      start()
      const job = shownTo(owner, await jobs.get(id))
      const now = clock.now()
      const canStep = mayStep(job, now)
      if (canStep) void advance(id)
      if (job.phase !== 'running' || !(canStep || isClaimed(job, now))) return job
      const isSynchronised = (next: Job) => next.revision > job.revision && !isClaimed(next, clock.now())
      return readers.wait({ known: job, isWanted: isSynchronised, budgetMs: syncBudgetMs })
    },

    async waitFor(id, owner, { budgetMs = waitBudgetMs, onLeave } = {}) {
      if (!closed) start()
      const job = await read(id, owner)
      if (isFinished(job)) return job
      return waiters.wait({
        known: job,
        isWanted: isFinished,
        budgetMs: Math.min(budgetMs, waitBudgetMs),
        onLeave,
      })
    },

    receiveCallback(jobId, request, address) {
      start()
      return takeCallback(jobId, request, address)
    },

    close: () => (closed ??= shutDown()),
  }
}

import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { keepProcessAlive } from '../defaults/keep-process-alive.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { isInThisProcess } from '../defaults/memory-job-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { systemClock } from '../defaults/system-clock.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { jobAcceptor } from './job-acceptor.ts'
import { logFace } from './log-face.ts'
import { jobAdvancer } from '../steps/job-advancer.ts'
import { agreedTime } from './agreed-time.ts'
import { boundedProcesses, boundedStore } from './bounded-store.ts'
import { byteBudget } from '../sharing/byte-budget.ts'
import { callbackRecord } from '../callbacks/callback-record.ts'
import { cancelJob } from './cancel-job.ts'
import { costTeller } from './cost-teller.ts'
import { deleteForgotten } from './delete-forgotten.ts'
import { deleteJob } from './delete-job.ts'
import { deliverer } from '../deliveries/deliverer.ts'
import { closeService } from './close-service.ts'
import { clockSteps } from '../job/clock-steps.ts'
import { ending } from '../pacing/ending.ts'
import { isClaimed, isFinished, mayStep } from '../job/job-machine.ts'
import { checkReady } from './check-ready.ts'
import { chosenCopier } from './chosen-copier.ts'
import { modelCatalogue } from '../routing/model-catalogue.ts'
import { ownerMarks } from '../sharing/owner-marks.ts'
import { pollSchedule } from '../pacing/poll-schedule.ts'
import { isExpired } from '../job/retention.ts'
import { runningJobs } from '../job/running-jobs.ts'
import type { CloseResult, GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { checkCloseOptions, checkServiceOptions } from './service-options.ts'
import { listJobs } from './list-jobs.ts'
import { readCosts } from './read-costs.ts'
import { healthReader } from './read-health.ts'
import { startSweep } from './start-sweep.ts'
import { callbackTaker } from './callback-taker.ts'
import { tellFaults } from './tell-faults.ts'
import { tellOnceAMinute } from '../pacing/tell-once-a-minute.ts'
import { type ProviderAnswer, troubleTeller } from '../job/trouble-teller.ts'
import { unfailingLog } from './unfailing-log.ts'
import { upTo } from '../pacing/within-limit.ts'
import { waitingRoom } from '../sharing/waiting-room.ts'
import { withdrawJob } from './withdraw-job.ts'

/** How long `get` waits for a poll that it has caused or that is under way, in milliseconds. */
const syncBudgetMs = 2000

/**
 * Makes a job service that has its jobs made by the given providers. It starts nothing before `start()` or its first
 * use.
 * @throws TypeError when an option is wrong, when there is no model, or when two models have the same id
 * @example createGenerationService({ providers: [proceduralProvider()] })
 */
export function createGenerationService(options: GenerationServiceOptions): GenerationService {
  const checked = checkServiceOptions(options)
  const { files = memoryFileStore(), spool, maxWaiters, waitBudgetMs, webhooks } = checked
  const sharedClock = checked.clock ? undefined : checked.backend?.clock
  const clock = checked.clock ?? sharedClock ?? systemClock()
  const { maxWaitersPerOwner = Math.ceil(maxWaiters / 4) } = checked
  const log = unfailingLog(tellOnceAMinute(logFace(checked.log ?? console), clock))
  const backend = checked.backend ?? memoryBackend({ clock })
  const { models, modelOf, routesOf, providers, gates } = modelCatalogue(checked.providers, clock, log)
  const { scheduler, signals } = backend
  const steps = clockSteps(clock)
  const costs = costTeller(log)
  const closing = ending()
  const givingUp = ending()
  const closedStore = ending()
  // The store in the memory of this process has no faults, and answers at once.
  const store = isInThisProcess(backend.jobs)
    ? backend.jobs
    : tellFaults(boundedStore(backend.jobs, clock, closedStore))
  const clockIsRight = sharedClock ? agreedTime(backend, clock, closedStore) : () => undefined
  const processes = backend.processes && boundedProcesses(backend.processes, clock, closedStore)
  const jobs: JobStore = {
    ...store,
    get: async (id, owner) => {
      const job = await store.get(id, owner)
      return job && steps.retimed(job)
    },
  }

  const callbacks = callbackRecord()
  const ownerMarkOf = ownerMarks()
  const trouble = troubleTeller(log, clock)
  const running = runningJobs(clock, checked.maxRunningJobsPerOwner)
  backend.jobs.onForgotten?.(deleteForgotten({ files, spool, clock, log }))
  const waiting = { signals, clock, read, keepProcessAlive }
  const waiters = waitingRoom({ ...waiting, maxWaiters, maxWaitersPerOwner })
  const unlimited = { maxWaiters: Number.POSITIVE_INFINITY, maxWaitersPerOwner: Number.POSITIVE_INFINITY }
  const readers = waitingRoom({ ...waiting, ...unlimited })
  const telling = webhooks && deliverer({ webhooks, jobs, clock, log, closing, givingUp })
  const advancer = jobAdvancer({
    jobs,
    isInThisProcess: isInThisProcess(backend.jobs),
    files,
    spool,
    heldBytes: byteBudget(checked.maxHeldBytes),
    clockSteps: steps,
    running,
    ownerMarkOf,
    onJobEnd,
    processes,
    scheduler,
    signals,
    clock,
    log,
    trouble,
    routesOf,
    deliverer: telling,
    callbacks,
    callbackBaseUrl: checked.callbackBaseUrl,
    copyOutputs: chosenCopier(checked, { files, clock, log, ownerMarkOf, closing, givingUp }),
    onAmbiguousSubmit: checked.onAmbiguousSubmit,
    schedule: pollSchedule(models),
    closing,
    givingUp,
  })
  const { advance, laneOf } = advancer
  const acceptor = jobAcceptor({
    ...checked,
    jobs,
    models,
    modelOf,
    start,
    running,
    clock,
    begin: advancer.begin,
    withdraw: (job) => void withdrawJob({ jobs, clock, log, givingUp }, job),
  })

  const cancelling = { jobs, clock, signals, scheduler, onEnd: onJobEnd }
  const health = healthReader({ jobs, clock, closing, closedStore, waiters, advancer, gates })
  const takeCallback = callbackTaker({
    jobs,
    providers,
    routesOf,
    callbacks,
    scheduler,
    signals,
    clock,
    log,
    advance,
  })
  let hasStarted = false
  let stopSweep: (() => Promise<void>) | undefined
  let closed: Promise<CloseResult> | undefined

  function refuseClosed(): void {
    if (closed) throw new GenerationError('shutting_down', 'The service is shutting down.')
  }

  function start(): void {
    refuseClosed()
    if (hasStarted) return
    hasStarted = true
    if (!backend.durable) log.warn('genmount keeps jobs in memory: they are lost when this process ends.')
    costs.started(models)
    scheduler.start((jobId) => void advance(jobId))
    // The app's own log or scheduler may have closed the service during these calls.
    if (closed) return
    stopSweep = startSweep({
      look: steps.look,
      clockIsRight,
      jobs,
      files,
      spool,
      clock,
      log,
      advance,
      laneOf,
      processes,
      isShared: backend.durable,
    })
  }

  function onJobEnd(job: Job, provider = job.provider, answer?: ProviderAnswer): void {
    running.saw(job)
    costs.ended(job)
    telling?.take(job)
    const tell = async () => checked.onJobEnd?.(job)
    tell().catch((fault: unknown) =>
      log.error(`onJobEnd has failed for job ${job.id}.`, { job: job.id, cause: fault }),
    )
    trouble.ended(job, provider, answer)
  }

  async function read(id: string, owner: string): Promise<Job> {
    return shownTo(owner, await jobs.get(id, owner))
  }

  function shownTo(owner: string, job: Job | undefined): Job {
    if (job && job.owner === owner && !isExpired(job, clock.now())) return job
    throw new GenerationError('job_not_found', 'There is no such job, or it has expired.')
  }

  return {
    models,
    clock,
    files,
    log,
    retentionDays: checked.retentionDays,
    waitBudgetMs,
    hasWebhooks: webhooks !== undefined,
    get isClosing() {
      return closing.hasEnded
    },
    start,
    health,

    async ready() {
      refuseClosed()
      await checkReady({ clock, closing, backend, files, spool, providers })
    },

    async create(request) {
      start()
      const isUnchecked = clockIsRight()
      if (isUnchecked) await isUnchecked
      const accepted = await acceptor.accept(request)
      // A job that was inserted with its claim is on its way already.
      if (!accepted.replayed && accepted.job.phase === 'accepted') void advance(accepted.job.id)
      return accepted
    },

    async get(id, owner) {
      if (closed) return read(id, owner)
      start()
      const job = await read(id, owner)
      const now = clock.now()
      const isOwn = mayStep(job, now) || advancer.isUnderWay(id)
      const step = isOwn ? advance(id) : undefined
      if (job.phase !== 'running') return job
      if (step) {
        await upTo(clock, syncBudgetMs, step)
        return read(id, owner)
      }
      if (!isClaimed(job, now) || job.isQuiet) return job
      const isSynchronised = (next: Job) => next.revision > job.revision && !isClaimed(next, clock.now())
      return readers.wait({ id, owner, known: job, isWanted: isSynchronised, budgetMs: syncBudgetMs })
    },

    async list(request) {
      if (!closed) start()
      return listJobs(jobs, clock, request)
    },

    async waitFor(id, owner, { budgetMs = waitBudgetMs, onLeave } = {}) {
      if (!closed) start()
      const ownBudgetMs = Math.min(budgetMs, waitBudgetMs)
      return waiters.wait({ id, owner, isWanted: isFinished, budgetMs: ownBudgetMs, onLeave })
    },

    async deliveries(id, owner) {
      if (!closed) start()
      return (await read(id, owner)).webhook
    },

    receiveCallback(jobId, request, address) {
      if (!closed) start()
      return takeCallback(jobId, request, address)
    },

    async cancel(id, owner) {
      start()
      const job = shownTo(owner, await cancelJob(cancelling, await read(id, owner)))
      if (isFinished(job)) return job
      // The step that may be under way does not know of the wish, so another one follows.
      void advance(id).then(() => advance(id))
      // Only a running task can end soon: in the other phases somebody else's answer is waited for.
      if (job.phase !== 'running') return job
      return readers.wait({ id, owner, known: job, isWanted: isFinished, budgetMs: syncBudgetMs })
    },

    async delete(id, owner) {
      start()
      await deleteJob({ jobs, files, spool, clock, log }, await read(id, owner))
    },

    async costs(request) {
      start()
      return readCosts(jobs, request)
    },

    close(given) {
      const { timeoutMs } = checkCloseOptions(given)
      const waitingRooms = [waiters, readers]
      const parts = { waitingRooms, acceptor, advancer, scheduler, providers, files, spool, backend }
      return (closed ??= closeService(
        { clock, log, closing, givingUp, closedStore, stopSweep: () => stopSweep?.(), ...parts },
        timeoutMs,
      ))
    },
  }
}

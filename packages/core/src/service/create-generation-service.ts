import type { Job } from '../contracts/job.ts'
import { keepProcessAlive } from '../defaults/keep-process-alive.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { isInThisProcess } from '../defaults/memory-job-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { systemClock } from '../defaults/system-clock.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { jobAcceptor } from './job-acceptor.ts'
import { logFace } from './log-face.ts'
import { jobAdvancer } from '../steps/job-advancer.ts'
import { admissionCheck } from './admission-check.ts'
import { agreedTime } from './agreed-time.ts'
import { appTeller } from './app-teller.ts'
import { boundedProcesses } from './bounded-store.ts'
import { byteBudget } from '../sharing/byte-budget.ts'
import { callbackRecord } from '../callbacks/callback-record.ts'
import { cancelJob } from './cancel-job.ts'
import { costTeller } from './cost-teller.ts'
import { deleteForgotten } from './delete-forgotten.ts'
import { deleteJob } from './delete-job.ts'
import { closeService } from './close-service.ts'
import { submitsUnderWay } from '../steps/submits-under-way.ts'
import { clockSteps } from '../job/clock-steps.ts'
import { wholeClock } from '../job/instants.ts'
import { ending } from '../pacing/ending.ts'
import { isFinished } from '../job/job-state.ts'
import { clockTeller } from '../job/clock-teller.ts'
import { checkReady } from './check-ready.ts'
import { chosenCopier } from './chosen-copier.ts'
import { modelCatalogue } from '../routing/model-catalogue.ts'
import { ownerMarks } from '../sharing/owner-marks.ts'
import { pollSchedule } from '../pacing/poll-schedule.ts'
import { runningJobs } from '../job/running-jobs.ts'
import type { CloseResult, GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { checkCloseOptions, checkServiceOptions } from './service-options.ts'
import { listJobs } from './list-jobs.ts'
import { readCosts } from './read-costs.ts'
import { readUsage } from './read-usage.ts'
import { checkRetry } from './check-retry.ts'
import { healthReader } from './read-health.ts'
import { optionalParts } from './optional-parts.ts'
import { serviceDeliveries } from './service-deliveries.ts'
import { serviceLimits } from './service-limits.ts'
import { serviceModeration } from './service-moderation.ts'
import { serviceStore } from './service-store.ts'
import { serviceUploads } from './service-uploads.ts'
import { shownTo } from './shown-to.ts'
import { startSweep } from './start-sweep.ts'
import { syncBudgetMs, synchronisedRead } from './synchronised-read.ts'
import { callbackTaker } from './callback-taker.ts'
import { tellOnceAMinute } from '../pacing/tell-once-a-minute.ts'
import { type ProviderAnswer, troubleTeller } from '../job/trouble-teller.ts'
import { unfailingLog } from './unfailing-log.ts'
import { waitingRooms } from './waiting-rooms.ts'
import { watchJob } from './watch-job.ts'
import { withdrawJob } from './withdraw-job.ts'

/**
 * Makes a job service whose jobs are made by the given providers. It starts nothing before `start()` or its first use.
 * @throws TypeError when an option is wrong, when there is no model, or when two models have the same id
 * @example createGenerationService({ providers: [proceduralProvider()] })
 */
export function createGenerationService(options: GenerationServiceOptions): GenerationService {
  const checked = checkServiceOptions(options)
  const { files = memoryFileStore(), spool, maxWaiters, maxWaitersPerOwner, webhooks } = checked
  const sharedClock = checked.clock ? undefined : checked.backend?.clock
  const clock = wholeClock(checked.clock ?? sharedClock ?? systemClock())
  const log = unfailingLog(tellOnceAMinute(logFace(checked.log ?? console), clock))
  const tellEnd = appTeller(log, 'onJobEnd', checked.onJobEnd, (job) => job)
  const backend = checked.backend ?? memoryBackend({ clock })
  const { models, modelOf, routesOf, providers, gates } = modelCatalogue(checked.providers, clock, log)
  const { scheduler, signals } = backend
  const steps = clockSteps(clock, clockTeller(log, clock))
  const { sureNow, readNow } = steps
  const costs = costTeller(log)
  const closing = ending()
  const givingUp = ending()
  const closedStore = ending()
  const submits = submitsUnderWay(clock)
  const clockIsRight = sharedClock ? agreedTime(backend, clock, closedStore) : () => undefined
  const processes = backend.processes && boundedProcesses(backend.processes, clock, closedStore)
  const { onTransition } = checked
  const store = serviceStore(backend.jobs, { clock, clockSteps: steps, closedStore, log, onTransition })

  const callbacks = callbackRecord()
  const ownerMarkOf = ownerMarks()
  const trouble = troubleTeller(log, clock)
  const parts = optionalParts(log)
  const limiting = serviceLimits(checked, { jobs: store, clock, parts })
  const { jobs, uploadRooms: rooms } = limiting
  const moderation = serviceModeration(checked.moderate, parts, { clock, log, givingUp, modelOf })
  const running = runningJobs(clock, checked.maxRunningJobsPerOwner)
  deleteForgotten(backend.jobs, { files, spool, clock, sureNow, log })
  const uploads = serviceUploads(checked, {
    files,
    jobs,
    clock,
    sureNow,
    parts,
    closing,
    rooms,
    start,
    models,
  })
  const waiting = { signals, clock, read, keepProcessAlive }
  const { waiters, readers } = waitingRooms({ ...waiting, maxWaiters, maxWaitersPerOwner })
  const telling =
    webhooks && serviceDeliveries(parts, { webhooks, jobs, clock, sureNow, log, closing, givingUp })
  const advancer = jobAdvancer({
    jobs,
    isInThisProcess: isInThisProcess(backend.jobs),
    files,
    spool,
    heldBytes: byteBudget(checked.maxHeldBytes),
    clockSteps: steps,
    sureNow,
    running,
    ownerMarkOf,
    onJobEnd,
    processes,
    uploads,
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
    moderateOutputs: moderation.outputs,
    onAmbiguousSubmit: checked.onAmbiguousSubmit,
    schedule: pollSchedule(models),
    closing,
    givingUp,
    submits,
  })
  const { advance, laneOf, follow } = advancer
  const readSynchronised = synchronisedRead({ read, advancer, readers, clock })
  const watching = { ...waiting, places: waiters.places, advance, follow }
  const acceptor = jobAcceptor(checked, {
    jobs,
    models,
    modelOf,
    admit: admissionCheck(checked.admit, limiting.admit, moderation.input, clock),
    takePlace: limiting.takePlace,
    uploads,
    start,
    running,
    clock,
    begin: advancer.begin,
    withdraw: ({ id, claimToken }) => void withdrawJob({ jobs, clock, log, givingUp }, id, claimToken),
  })

  const cancelling = { jobs, clock, signals, scheduler, onEnd: onJobEnd }
  const health = healthReader({
    jobs,
    clock,
    closing,
    closedStore,
    waiters,
    advancer,
    gates,
    believedAt: steps.believedAt,
  })
  const callback = { jobs, providers, routesOf, callbacks, scheduler, signals, clock, sureNow, log, advance }
  const takeCallback = callbackTaker(callback)
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
    if (webhooks?.allowLoopback)
      log.warn(
        'allowLoopback is on: whoever creates jobs can make genmount post webhooks to the ports of this machine.',
      )
    costs.started(models)
    scheduler.start((jobId) => void advance(jobId))
    // The app's own log or scheduler may have closed the service during these calls.
    if (closed) return
    stopSweep = startSweep({
      look: steps.look,
      sureNow,
      clockIsRight,
      jobs,
      files,
      spool,
      clock,
      log,
      advance,
      laneOf,
      processes,
      uploads,
      isShared: backend.durable,
    })
  }

  function onJobEnd(job: Job, provider = job.provider, answer?: ProviderAnswer): void {
    running.saw(job)
    costs.ended(job)
    limiting.ended(job)
    telling?.take(job)
    tellEnd(job)
    trouble.ended(job, provider, answer)
  }

  async function read(id: string, owner: string): Promise<Job> {
    return shownTo(owner, await jobs.get(id, owner), readNow())
  }

  return {
    models,
    clock,
    files,
    log,
    uploads: uploads?.face,
    retentionDays: checked.retentionDays,
    waitBudgetMs: checked.waitBudgetMs,
    countRequest: limiting.countRequest,
    hasWebhooks: webhooks !== undefined,
    get isClosing() {
      return closing.hasEnded
    },
    start,
    health,

    async ready() {
      refuseClosed()
      await checkReady({ clock, closing, parts, backend, files, spool, providers })
    },

    async create(request) {
      start()
      const isUnchecked = clockIsRight()
      if (isUnchecked) await isUnchecked
      const accepted = await acceptor.accept(request)
      // A job that was inserted with its claim is being submitted already.
      if (!accepted.replayed && accepted.job.phase === 'accepted') void advance(accepted.job.id)
      return accepted
    },

    async get(id, owner) {
      if (closed) return read(id, owner)
      start()
      return readSynchronised(id, owner)
    },

    async list(request) {
      if (!closed) start()
      return listJobs(jobs, readNow, request)
    },

    async waitFor(id, owner, { budgetMs = checked.waitBudgetMs, onLeave } = {}) {
      if (!closed) start()
      const ownBudgetMs = Math.min(budgetMs, checked.waitBudgetMs)
      return waiters.wait({ id, owner, isWanted: isFinished, budgetMs: ownBudgetMs, onLeave })
    },

    async watch(id, owner, watcher) {
      start()
      return watchJob(watching, id, owner, watcher)
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
      const job = shownTo(owner, await cancelJob(cancelling, await read(id, owner)), readNow())
      if (isFinished(job)) return job
      // A step that is under way may not know of the cancel request, so another step follows.
      void advance(id).then(() => advance(id))
      // Only a running task can end soon. In the other phases the cancel waits for an answer to another call.
      if (job.phase !== 'running') return job
      return readers.wait({ id, owner, known: job, isWanted: isFinished, budgetMs: syncBudgetMs })
    },

    async retry(id) {
      start()
      const { job } = await acceptor.acceptAgain(checkRetry(await jobs.get(id), readNow()))
      if (job.phase === 'accepted') void advance(job.id)
      return job
    },

    async delete(id, owner) {
      start()
      await deleteJob({ jobs, files, spool, processes, clock, sureNow, log }, await read(id, owner))
    },

    async costs(request) {
      start()
      return readCosts(jobs, request)
    },

    async usage(request) {
      start()
      return readUsage(jobs, request)
    },

    settled: advancer.settled,

    close(given) {
      const { timeoutMs } = checkCloseOptions(given)
      const working = {
        waitingRooms: [waiters, readers],
        acceptor,
        submits,
        advancer,
        uploads,
        scheduler,
        providers,
      }
      const stores = { closedStore, files, spool, backend, stopSweep: () => stopSweep?.() }
      return (closed ??= closeService({ clock, log, closing, givingUp, ...working, ...stores }, timeoutMs))
    },
  }
}

import type { Job } from '../contracts/job.ts'
import type { PluginHost } from '../contracts/service-plugin.ts'
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
import { isFinished } from '../job/job-machine.ts'
import { hasJustEnded } from '../job/has-just-ended.ts'
import { appPlugin } from '../plugins/app-plugin.ts'
import { servicePlugins } from '../plugins/service-plugins.ts'
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
import { serviceStore } from './service-store.ts'
import { shownTo } from './shown-to.ts'
import { startSweep } from './start-sweep.ts'
import { syncBudgetMs, synchronisedRead } from './synchronised-read.ts'
import { callbackTaker } from './callback-taker.ts'
import { tellOnceAMinute } from '../pacing/tell-once-a-minute.ts'
import { troubleTeller } from '../job/trouble-teller.ts'
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
  const { files = memoryFileStore(), spool, maxWaiters, maxWaitersPerOwner } = checked
  const sharedClock = checked.clock ? undefined : checked.backend?.clock
  const clock = wholeClock(checked.clock ?? sharedClock ?? systemClock())
  const log = unfailingLog(tellOnceAMinute(logFace(checked.log ?? console), clock))
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
  const jobs = serviceStore(backend.jobs, { clock, clockSteps: steps, closedStore, log, wrote })

  const callbacks = callbackRecord()
  const ownerMarkOf = ownerMarks()
  const trouble = troubleTeller(log, clock)
  const running = runningJobs(clock, checked.maxRunningJobsPerOwner)
  deleteForgotten(backend.jobs, { files, spool, clock, sureNow, log })
  const host: PluginHost = {
    jobs,
    files,
    clock,
    sureNow,
    log,
    models,
    modelOf,
    deadlineMs: checked.deadlineMs,
    publicUrl: checked.callbackBaseUrl,
    closing,
    givingUp,
    fileRooms: () => plugins.fileRooms,
    start,
  }
  const plugins = servicePlugins([appPlugin(checked), ...checked.plugins], host)
  const waiting = { signals, clock, read, keepProcessAlive }
  const { waiters, readers } = waitingRooms({ ...waiting, maxWaiters, maxWaitersPerOwner })
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
    processes,
    plugins,
    pluginsSettled: plugins.settled,
    scheduler,
    signals,
    clock,
    log,
    trouble,
    routesOf,
    callbacks,
    callbackBaseUrl: checked.callbackBaseUrl,
    copyOutputs: chosenCopier(checked, { files, clock, log, ownerMarkOf, closing, givingUp }),
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
    plugins,
    start,
    running,
    clock,
    begin: advancer.begin,
    withdraw: ({ id, claimToken }) => void withdrawJob({ jobs, clock, log, givingUp }, id, claimToken),
  })

  const cancelling = { jobs, clock, signals, scheduler, trouble }
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
    for (const warning of plugins.warnings) log.warn(warning)
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
      sweeps: plugins.sweeps,
      isShared: backend.durable,
    })
  }

  function wrote(job: Job, before: Job | undefined): void {
    if (isFinished(job)) running.saw(job)
    if (hasJustEnded(job, before)) costs.ended(job)
    plugins.wrote(job, before)
  }

  async function read(id: string, owner: string): Promise<Job> {
    return shownTo(owner, await jobs.get(id, owner), readNow())
  }

  return {
    models,
    clock,
    files,
    log,
    uploads: plugins.face.uploads,
    retentionDays: checked.retentionDays,
    waitBudgetMs: checked.waitBudgetMs,
    countRequest: plugins.face.countRequest,
    hasWebhooks: plugins.sendsWebhooks,
    get isClosing() {
      return closing.hasEnded
    },
    start,
    health,

    async ready() {
      refuseClosed()
      await checkReady({ clock, closing, plugins: plugins.attached, backend, files, spool, providers })
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
        plugins: plugins.attached,
        scheduler,
        providers,
      }
      const stores = { closedStore, files, spool, backend, stopSweep: () => stopSweep?.() }
      return (closed ??= closeService({ clock, log, closing, givingUp, ...working, ...stores }, timeoutMs))
    },
  }
}

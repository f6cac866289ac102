import type { Job } from '../contracts/job.ts'
import type { PluginHost, TaskHolder } from '../contracts/plugin/plugin-host.ts'
import type { ServiceActions } from '../contracts/plugin/service-actions.ts'
import { keepProcessAlive } from '../defaults/system-clock.ts'
import { isInThisProcess } from '../defaults/in-this-process.ts'
import { isFinished } from '../job/job-state.ts'
import { mayBeJobId } from '../job/job-id.ts'
import { runningJobs } from '../job/running-jobs.ts'
import { troubleTeller } from '../steps/trouble-teller.ts'
import { pollSchedule } from '../pacing/poll-schedule.ts'
import { appPlugin, costWarnings, endWarnings } from '../plugins/own-plugins.ts'
import { type ServicePlugins, servicePlugins } from '../plugins/service-plugins.ts'
import { byteBudget } from '../sharing/shared-room.ts'
import { ownerMarks } from '../sharing/owner-marks.ts'
import type { Route } from '../routing/routes.ts'
import { jobAdvancer } from '../steps/job-advancer.ts'
import { type SweepContext, sweepLooks } from './start-sweep.ts'
import { submitsUnderWay } from '../turns/submits-under-way.ts'
import { deleteForgotten } from '../retention/retention.ts'
import type { OrderRoutes } from '../requests/request-reader.ts'
import { jobAcceptor } from '../requests/job-acceptor.ts'
import { jobEstimator } from '../requests/job-estimator.ts'
import type { ServiceFoundation } from './service-foundation.ts'
import type { CheckedServiceOptions } from './service-options.ts'
import { recentJobs } from '../claims/recent-jobs.ts'
import { serviceStore } from '../job-store/service-store.ts'
import { noSuchJob, shownTo } from '../requests/read-job.ts'
import { waitingRoom } from '../sharing/waiting-room.ts'
import { changedBytes } from '../outputs/changed-output.ts'
import { type CopyContext, type OutputCopier, outputCopier } from '../outputs/output-copier.ts'

/** What takes jobs in, moves them on and lets clients wait for them. */
export type ServiceEngine = ReturnType<typeof serviceEngine>

/**
 * Makes the engine of a service.
 * @param start starts the service. It throws a GenerationError `shutting_down` after its close
 * @param service the service, once it is made
 * @throws TypeError when a plugin does not fit the other options
 */
export function serviceEngine(
  options: CheckedServiceOptions,
  foundation: ServiceFoundation,
  start: () => void,
  service: () => ServiceActions,
) {
  const { backend, clock, log, models } = foundation
  const running = runningJobs(clock, options.maxRunningJobsPerOwner)
  const recent = recentJobs(clock, foundation.clockSteps)
  const jobs = serviceStore(backend.jobs, { ...foundation, wrote })
  // A process that only lives for a few calls would never trust its clock, and nothing would ever be deleted.
  const sureNow = () =>
    plugins.sweepsOnCall ? foundation.clockSteps.readNow() : foundation.clockSteps.sureNow()
  const plugins: ServicePlugins = servicePlugins(
    [costWarnings, endWarnings, appPlugin(options), ...options.plugins],
    {
      ...foundation,
      jobs,
      sureNow,
      copiesOutputs: foundation.files.fetch !== undefined && options.keepOutputs !== 'redirect',
      deadlineMs: options.deadlineMs,
      async read(id, owner) {
        if (!foundation.closing.hasEnded) start()
        return read(id, owner)
      },
      taskHolderOf: (job) => taskHolder(foundation.routesOf(job)?.of(job), job),
      wake,
      async takeUp(jobId) {
        const { run } = await advancer.laneOf(jobId)
        await run(() => advancer.advance(jobId))
      },
      looks: () => sweepLooks(sweep),
      changedBytes: (file, bytes) => changedBytes(bytes, plugins.changesOf(file), clock),
      fileRooms: () => plugins.fileRooms,
      start,
      service: service as PluginHost['service'],
    },
  )
  const schedule = pollSchedule(models)
  const orderRoutes: OrderRoutes = (order) => foundation.orderRoutes(order, schedule.medianMs)
  const trouble = troubleTeller(log, clock)
  const submits = submitsUnderWay(clock)
  const ownerMarkOf = ownerMarks()
  const { changesOf, readingOf } = plugins
  const advancer = jobAdvancer({
    ...foundation,
    jobs,
    isInThisProcess: isInThisProcess(backend.jobs),
    wakesItself: !plugins.sweepsOnCall && isInThisProcess(foundation.scheduler),
    recent,
    heldBytes: byteBudget(options.maxHeldBytes),
    running,
    ownerMarkOf,
    plugins,
    trouble,
    copyOutputs: chosenCopier(options, { ...foundation, ownerMarkOf, changesOf, readingOf }),
    onAmbiguousSubmit: options.onAmbiguousSubmit,
    schedule,
    deadlineMsOf: (model) => foundation.modelOf(model)?.deadlineMs ?? options.deadlineMs,
    submits,
  })
  const sweep: SweepContext = {
    ...foundation,
    ...advancer,
    jobs,
    sureNow,
    look: foundation.clockSteps.look,
    sweeps: plugins.sweeps,
    deletePluginFiles: plugins.deleteFiles,
    isShared: backend.durable,
  }
  const acceptor = jobAcceptor(options, {
    ...foundation,
    jobs,
    plugins,
    orderRoutes,
    start,
    running,
    begin: advancer.begin,
  })
  deleteForgotten(backend.jobs, { ...foundation, deletePluginFiles: plugins.deleteFiles })

  function wrote(job: Job, before: Job | undefined): void {
    if (isFinished(job)) running.saw(job)
    // The memory of this process can be read as fast. `advance` waits only for steps of jobs that it has found due in the store.
    if (!isInThisProcess(backend.jobs) && !plugins.sweepsOnCall) recent.wrote(job)
    plugins.wrote(job, before)
  }

  function wake(jobId: string, at: number): void {
    foundation.signals.publish(jobId)
    foundation.scheduler.wakeAt(jobId, at)
    void advancer.advance(jobId)
  }

  async function read(id: string, owner: string): Promise<Job> {
    if (!mayBeJobId(id)) throw noSuchJob()
    return shownTo(owner, await jobs.get(id, owner), foundation.clockSteps.readNow())
  }

  const { maxWaiters, maxWaitersPerOwner = Math.ceil(maxWaiters / 4) } = options
  const waiting = { signals: backend.signals, clock, read, keepProcessAlive }
  const unlimited = { maxWaiters: Number.POSITIVE_INFINITY, maxWaitersPerOwner: Number.POSITIVE_INFINITY }
  return {
    jobs,
    plugins,
    trouble,
    submits,
    advancer,
    sweep,
    acceptor,
    /** Says what would become of a request. */
    estimate: jobEstimator(options, { ...foundation, plugins, orderRoutes, running }),
    /** Reads the owner's job as it is stored. @throws GenerationError `job_not_found` */
    read,
    /** The calls of `waitFor`, whose number is limited. */
    waiters: waitingRoom({ ...waiting, maxWaiters, maxWaitersPerOwner }),
    /** The calls that wait at most 2 seconds for a provider's answer. Their number is not limited. */
    readers: waitingRoom({ ...waiting, ...unlimited }),
  }
}

function taskHolder(route: Route | undefined, job: Job): TaskHolder | undefined {
  return (
    route && {
      provider: route.provider,
      async task() {
        const { id: jobId, clientToken, input: task = {}, handle = null } = job
        const input = await (async () => route.inputOf(task))().catch(() => task)
        return { jobId, model: route.model, input, clientToken, handle }
      },
    }
  )
}

/**
 * Makes the copier that the options `keepOutputs` and `maxOutputBytes` ask for.
 * @returns `undefined` when outputs stay at the provider
 * @throws TypeError when `keepOutputs` is `mirror` and the file store has no `fetch`
 */
function chosenCopier(
  { keepOutputs, maxOutputBytes }: CheckedServiceOptions,
  context: Omit<CopyContext, 'fetch' | 'maxOutputBytes'>,
): OutputCopier | undefined {
  const { fetch } = context.files
  if (keepOutputs === 'mirror' && !fetch)
    throw new TypeError(
      "createGenerationService: keepOutputs is 'mirror', but files has no fetch: use a store that has one, or add it, for example { ...files, fetch: guardedFetch }.",
    )
  return fetch && keepOutputs !== 'redirect' ? outputCopier({ ...context, fetch, maxOutputBytes }) : undefined
}

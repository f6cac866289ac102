import { checkAliasTable, checkProviders } from '../routing/model-catalogue.ts'
import type { MethodsOf, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { isFinished } from '../job/job-state.ts'
import { cancelJob, deleteJob, checkRetry } from '../requests/change-job.ts'
import { checkReady, type ServiceLife, serviceLife } from './service-life.ts'
import { withMethods } from '../plugins/service-plugins.ts'
import type { GenerationService } from './generation-service.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { listJobs } from '../requests/list-jobs.ts'
import { healthReader } from '../requests/read-health.ts'
import { type ServiceEngine, serviceEngine } from './service-engine.ts'
import { type DefaultStores, type ServiceFoundation, serviceFoundation } from './service-foundation.ts'
import { checkServiceOptions } from './service-options.ts'
import { shownTo, syncBudgetMs, synchronisedRead } from '../requests/read-job.ts'
import { watchJob } from '../requests/watch-job.ts'

/**
 * Makes a job service. It starts nothing before `start()` or its first use.
 * @param defaults what it uses where the app names no stores
 * @throws TypeError when an option is wrong, when there is no model, or when two models have the same id
 */
export function serviceWith<const Plugins extends readonly ServicePlugin[]>(
  options: GenerationServiceOptions<Plugins>,
  defaults: DefaultStores,
): GenerationService & MethodsOf<Plugins> {
  const checked = checkServiceOptions(options)
  const foundation = serviceFoundation(checked, defaults)
  const engine = serviceEngine(
    checked,
    foundation,
    () => life.start(),
    () => service,
  )
  const life: ServiceLife = serviceLife(foundation, engine)
  const { models, clock, files, log, closing } = foundation
  const { plugins } = engine
  const service: GenerationService = {
    models,
    aliases: foundation.aliases,
    clock,
    files,
    log,
    uploads: plugins.face.uploads,
    variants: plugins.face.variants,
    retentionDays: checked.retentionDays,
    waitBudgetMs: checked.waitBudgetMs,
    countRequest: plugins.face.countRequest,
    routes: plugins.routes,
    openapi: plugins.openapi,
    get isClosing() {
      return closing.hasEnded
    },
    offer: (providers, aliases) =>
      foundation.offer(
        checkProviders('offer: providers', providers),
        aliases && checkAliasTable('offer: aliases', aliases),
      ),
    start: life.start,
    health: healthReader({ ...foundation, ...engine, believedAt: foundation.clockSteps.believedAt }),
    async ready() {
      life.refuseClosed()
      await checkReady({ ...foundation, plugins: plugins.attached })
    },
    settled: engine.advancer.settled,
    close: life.close,
    ...jobMethods(foundation, engine, life, checked.waitBudgetMs),
  }
  return withMethods(service, plugins.attached) as GenerationService & MethodsOf<Plugins>
}

/** The methods of a service that create, read and change jobs. */
function jobMethods(
  foundation: ServiceFoundation,
  engine: ServiceEngine,
  life: ServiceLife,
  waitBudgetMs: number,
) {
  const { jobs, read, acceptor, advancer, waiters, readers, trouble } = engine
  const { clock } = foundation
  const deletePluginFiles = engine.plugins.deleteFiles
  const { readNow } = foundation.clockSteps
  const { start } = life
  const { advance } = advancer
  const readSynchronised = synchronisedRead({ read, advancer, readers, clock })
  const watching = { ...foundation, read, ...advancer, places: waiters.places }
  return {
    create: acceptor.accept,

    async estimate(request) {
      start()
      return engine.estimate(request)
    },

    async get(id, owner) {
      if (life.isClosed()) return read(id, owner)
      start()
      return readSynchronised(id, owner)
    },

    async list(request) {
      life.startUnlessClosed()
      return listJobs(jobs, readNow, request)
    },

    // Not async: thousands may wait, and a promise around the one of the room would take 300 bytes for each.
    waitFor(id, owner, { budgetMs = waitBudgetMs, onLeave } = {}) {
      life.startUnlessClosed()
      const ownBudgetMs = Math.min(budgetMs, waitBudgetMs)
      return waiters.wait({ id, owner, isWanted: isFinished, budgetMs: ownBudgetMs, onLeave })
    },

    async watch(id, owner, watcher) {
      start()
      return watchJob(watching, id, owner, watcher)
    },

    async cancel(id, owner) {
      start()
      const job = shownTo(
        owner,
        await cancelJob({ ...foundation, jobs, trouble }, await read(id, owner)),
        readNow(),
      )
      if (isFinished(job)) return job
      // A step that is under way may not know of the cancel request, so another step follows.
      void advance(id).then(() => advance(id))
      // Only a running task can end soon. In the other phases the cancel waits for an answer to another call.
      if (job.phase !== 'running') return job
      return readers.wait({ id, owner, latestKnown: job, isWanted: isFinished, budgetMs: syncBudgetMs })
    },

    async retry(id) {
      start()
      const { job } = await acceptor.acceptAgain(checkRetry(await jobs.get(id), readNow()))
      return job
    },

    async delete(id, owner) {
      start()
      await deleteJob({ ...foundation, jobs, deletePluginFiles }, await read(id, owner))
    },
  } satisfies Partial<GenerationService>
}

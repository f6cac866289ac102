import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import {
  type Backend,
  type Clock,
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
  isFinished,
  type Job,
  type JsonObject,
  memoryBackend,
  memoryFileStore,
  type Provider,
  type ProviderCall,
  type ProviderTask,
} from '@genmount/core'
import { manualClock, type ManualClock, quietLog } from '@genmount/testing'
import type { VendorServer } from './vendor-server.ts'

export interface ServiceWorldOptions extends Partial<
  Omit<GenerationServiceOptions, 'providers' | 'backend' | 'clock'>
> {
  /** @default in memory; each process gets its own object, and all of them share the same jobs */
  readonly backend?: ((clock: Clock) => Backend) | undefined
  /** The fake of the providers' vendor, which closes with the world. `unanswered` counts the answers that it withholds. */
  readonly vendor?: Pick<VendorServer, 'unanswered' | 'close'>
  /** The instant at which the clock begins. @default that of `manualClock` */
  readonly startAt?: number
}

export type ServiceWorld = ReturnType<typeof serviceWorld>

/**
 * A service on a clock of its own, which advances only while no call of a provider is under way.
 * @param connect makes the providers of a process
 */
export function serviceWorld(
  connect: (clock: Clock) => GenerationServiceOptions['providers'],
  { backend, vendor, startAt, ...options }: ServiceWorldOptions = {},
) {
  /** The requests of dead processes that are still open. */
  let abandoned = 0
  const unanswered = () => Math.max(0, (vendor?.unanswered() ?? 0) - abandoned)
  let clock = manualClock(startAt)
  const { jobs } = memoryBackend({ clock })
  const files = memoryFileStore()
  const tasks = new AsyncLocalStorage<ProviderTask>()
  const services: GenerationService[] = []
  /** The calls of the present process. */
  let calls = new Set<Pick<ProviderTask, 'jobId'>>()
  let nextEnd = Promise.withResolvers<void>()

  function end(own: typeof calls, called: Pick<ProviderTask, 'jobId'>): void {
    own.delete(called)
    nextEnd.resolve()
    nextEnd = Promise.withResolvers()
  }

  function watched(provider: Provider): Provider {
    const own = calls
    function watch<Task extends ProviderTask, Value>(call: (task: Task, by: ProviderCall) => Promise<Value>) {
      return async (task: Task, by: ProviderCall): Promise<Value> => {
        const called = { jobId: task.jobId }
        own.add(called)
        return tasks.run(task, () => call(task, by)).finally(() => end(own, called))
      }
    }
    const { submit, poll, find, cancel } = provider
    return {
      ...provider,
      submit: watch(submit),
      poll: watch(poll),
      ...(find && { find: watch(find) }),
      ...(cancel && { cancel: watch(cancel) }),
    }
  }

  function startProcess() {
    const own = backend?.(clock) ?? { ...memoryBackend({ clock }), jobs, durable: true }
    const providers = connect(clock).map((one) => {
      if (!('routes' in one)) return watched(one)
      return { ...one, routes: one.routes.map((to) => ({ ...to, provider: watched(to.provider) })) }
    })
    const service = createGenerationService({
      files,
      log: quietLog(),
      ...options,
      providers,
      backend: own,
      clock,
    })
    service.start()
    services.push(service)
    return { service, jobs: own.jobs }
  }
  let current = startProcess()

  async function job(id: string): Promise<Job> {
    const found = await current.jobs.get(id)
    if (found) return found
    throw new Error(`There is no job ${id}.`)
  }

  /** Waits for the calls that are under way, without advancing the clock. @returns whether all of them have ended */
  async function isQuiet(): Promise<boolean> {
    // The vendor may withhold an answer meanwhile, of which no call tells.
    while (calls.size > unanswered()) await Promise.race([nextEnd.promise, delay(2)])
    await clock.advance(0)
    return calls.size <= unanswered()
  }

  /**
   * When to look at the job again. A submit of a process that lives goes on before `dueAt`, and an overdue job at the next sweep.
   * @param rounds how often the job was seen without a change since its submit was given time
   */
  function nextLookAt(job: Job, rounds: number): number {
    if (isFinished(job)) return Infinity
    const { dueAt = Infinity } = job
    const soon = clock.now() + Math.min(5000, 20 * 2 ** rounds)
    if (dueAt <= clock.now()) return soon
    return isInSubmit(job) ? Math.min(dueAt, soon) : dueAt
  }

  /** Advances the clock until all these jobs are as wanted. @default until they have finished */
  async function until(ids: readonly string[], isWanted: (job: Job) => boolean = isFinished): Promise<Job[]> {
    let rounds = 0
    let before = ''
    for (const end = clock.now() + 24 * 60 * 60_000; clock.now() < end;) {
      if (!(await isQuiet())) continue
      const found = await Promise.all(ids.map(job))
      if (found.every(isWanted)) return found
      const state = found.map(({ revision }) => revision).join()
      rounds = state === before ? rounds + 1 : 0
      before = state
      const isAtVendor = ({ id }: Job) => [...calls].some(({ jobId }) => jobId === id)
      // The claim of a job needs threads of the system, for which no turn of the event loop waits. On a busy machine they take
      // long, and the service must not believe that they have taken 10 s.
      if (rounds < 10 && found.some((one) => isInSubmit(one) && !isAtVendor(one))) {
        await delay(2 + 2 * rounds)
        continue
      }
      const stepAt = Math.min(...found.map((job) => nextLookAt(job, rounds - 10)))
      if (stepAt === Infinity) break
      // A call that waits for an answer may end before any step is due.
      await clock.advance(calls.size > 0 ? 1000 : Math.max(1, stepAt - clock.now()))
    }
    throw new Error(`Not as wanted, within a day: ${inspect(await Promise.all(ids.map(job)))}`)
  }

  return {
    get clock(): ManualClock {
      return clock
    },
    /** The service of the present process. */
    get service(): GenerationService {
      return current.service
    },
    /** The task whose call of a provider runs this code. */
    task: () => tasks.getStore(),
    job,
    until,

    async create(model: string, input: object = { prompt: 'a fox' }): Promise<string> {
      return (await current.service.create({ owner: 'alice', model, input: input as JsonObject })).job.id
    },

    /** Waits for everything that happens without advancing the clock. */
    async settle(): Promise<void> {
      while (!(await isQuiet()));
    },

    /** As `until`, for one job. */
    async finished(id: string, isWanted?: (job: Job) => boolean): Promise<Job> {
      const [found] = await until([id], isWanted)
      return found!
    },

    /** The bytes of a finished job's outputs. */
    outputs: ({ outputs }: Job): Promise<Uint8Array[]> =>
      Promise.all(
        outputs.map(async ({ fileKey = '' }) => {
          const file = await files.open?.(fileKey)
          if (!file) throw new Error('An output is not in the file store.')
          return new Uint8Array(await new Response(file.read()).arrayBuffer())
        }),
      ),

    /** Replaces the process: its clock stops, as if it had died, and another process takes its place. */
    restart(): void {
      clock = manualClock(clock.now())
      calls = new Set()
      abandoned = vendor?.unanswered() ?? 0
      current = startProcess()
    },

    async close(): Promise<void> {
      await Promise.all(services.map((service) => service.close()))
      await vendor?.close()
    },
  }
}

/** Whether a process is about to submit the job, or submits it. No process works on a job that waits for a look at its submit. */
function isInSubmit({ phase, claim }: Job): boolean {
  return phase === 'accepted' || (phase === 'submitting' && claim?.until !== undefined)
}

/** Jobs of providers that the test has made. */
export const jobRuns = (...providers: readonly Provider[]) => serviceWorld(() => providers)

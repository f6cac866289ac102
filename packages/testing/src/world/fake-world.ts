import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
  type Job,
  type JobRequest,
  type JobStore,
  type Provider,
} from '@genmount/core'
import { manualClock, type ManualClock } from '../clock/manual-clock.ts'
import { fakeProvider, type FakeProvider, type FakeProviderOptions } from '../fake-provider/fake-provider.ts'
import { quietLog, type QuietLog } from './quiet-log.ts'
import { survivingStore } from './surviving-store.ts'

/** What one process has that differs from the others: options of its service, and single calls. */
export interface ProcessChanges extends Partial<GenerationServiceOptions> {
  /** Calls of the job store that this process has answered in another way. */
  readonly jobs?: Partial<JobStore>
  /** Parts of the provider that are others in this process. */
  readonly provider?: Partial<Provider>
}

/** A service that runs as if in a process of its own. */
export interface MortalService {
  /** The service, which is started. */
  readonly service: GenerationService
  /** Ends the process as a power cut does: from now on nothing that the service does reaches the store. */
  die(): void
}

/** Services with one fake provider over one job store, on a clock that stands still until the test moves it. */
export interface FakeWorld {
  /** The clock of the services and of the provider. */
  readonly clock: ManualClock
  /** The only provider of the services. */
  readonly provider: FakeProvider
  /** What all services together have logged. */
  readonly log: QuietLog
  /** The jobs as they are stored, whatever becomes of the services. */
  readonly jobs: JobStore
  /** The first service, made when it is first asked for. It is not started: its own jobs are advanced all the same. */
  readonly service: GenerationService
  /** One more service over the same jobs, as in a process of its own. It is not started. */
  serviceOver(changes?: ProcessChanges): GenerationService
  /** One more service over the same jobs, started, in a process that can die at any instant. */
  start(changes?: ProcessChanges): MortalService
  /** Creates a job at the first service. @default a job of the owner `alice` with the model `fake-image` and the prompt `a fox` */
  create(input?: object, request?: Partial<Omit<JobRequest, 'input'>>): Promise<Job>
  /** Lets `ms` milliseconds pass. @returns the job of alice as `service` shows it then, by default the first one */
  jobAfter(ms: number, id: string, service?: GenerationService): Promise<Job>
}

/**
 * @param fake how the provider behaves
 * @param options for every service, unless `serviceOver` or `start` is told otherwise
 * @example
 * const { create, jobAfter, provider } = fakeWorld({ behave: [{ delayMs: 5_000 }] })
 * const { id } = await create()
 * expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
 * expect(provider.ledger).toHaveLength(1)
 */
export function fakeWorld(fake: FakeProviderOptions = {}, options: ProcessChanges = {}): FakeWorld {
  const clock = manualClock()
  const provider = fakeProvider({ clock, ...fake })
  const store = survivingStore(clock)
  const log = quietLog()
  let first: GenerationService | undefined

  function connect(changes: ProcessChanges) {
    const { jobs, provider: parts, ...own } = { ...options, ...changes }
    // As memory is: a service that shares its store sweeps it so often that days of the clock would take long.
    const backend = { ...store.connect(jobs), durable: false }
    const providers = [{ ...provider, ...parts }]
    return { backend, service: createGenerationService({ providers, clock, log, backend, ...own }) }
  }

  const world: FakeWorld = {
    clock,
    provider,
    log,
    jobs: store.jobs,
    get service() {
      return (first ??= world.serviceOver())
    },
    serviceOver: (changes = {}) => connect(changes).service,
    start(changes = {}) {
      const { service, backend } = connect(changes)
      service.start()
      return { service, die: backend.kill }
    },
    async create(input = {}, request = {}) {
      const whole = { owner: 'alice', model: 'fake-image', ...request, input: { prompt: 'a fox', ...input } }
      return (await world.service.create(whole)).job
    },
    async jobAfter(ms, id, service = world.service) {
      await clock.advance(ms)
      return service.get(id, 'alice')
    },
  }
  return world
}

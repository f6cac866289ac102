import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
  type Job,
  type JobRequest,
  type JobStore,
  type MethodsOf,
  type Provider,
  type ServicePlugin,
} from '@genmount/core'
import { manualClock, type ManualClock } from '../clock/manual-clock.ts'
import { fakeProvider, type FakeProvider, type FakeProviderOptions } from '../fake-provider/fake-provider.ts'
import { quietLog, type QuietLog } from './quiet-log.ts'
import { survivingStore } from './surviving-store.ts'

/** The differences of one process: options of its service, and replaced methods. */
export interface ProcessChanges<
  Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[],
> extends Partial<GenerationServiceOptions<Plugins>> {
  /** Methods of the job store that are replaced in this process. */
  readonly jobs?: Partial<JobStore>
  /** Parts of the provider that are replaced in this process. */
  readonly provider?: Partial<Provider>
}

/** A service that behaves as if it ran in its own process. */
export interface MortalService<Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[]> {
  /** The service, which is started. */
  readonly service: GenerationService & MethodsOf<Plugins>
  /** Ends the process as a power cut does: from now on no write of the service reaches the store. */
  die(): void
}

/** Services with one fake provider over one job store, on a clock that stands still until the test moves it. */
export interface FakeWorld<Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[]> {
  /** The clock of the services and of the provider. */
  readonly clock: ManualClock
  /** The only provider of the services. */
  readonly provider: FakeProvider
  /** The log of all services together. */
  readonly log: QuietLog
  /** The stored jobs. They survive the services. */
  readonly jobs: JobStore
  /** The first service, made at its first use. Its first call, such as `create`, starts it. */
  readonly service: GenerationService & MethodsOf<Plugins>
  /** Makes a further service over the same jobs, as in its own process. Its first call starts it. */
  serviceOver(changes?: ProcessChanges): GenerationService & MethodsOf<Plugins>
  /** Makes a further service over the same jobs, started, in a process that can die at any instant. */
  start(changes?: ProcessChanges): MortalService<Plugins>
  /** Creates a job at the first service. @default a job of the owner `alice` with the model `fake-image` and the prompt `a fox` */
  create(input?: object, request?: Partial<Omit<JobRequest, 'input'>>): Promise<Job>
  /** Lets `ms` milliseconds pass. @returns the job of alice as `service` then shows it, by default the first service */
  jobAfter(ms: number, id: string, service?: GenerationService): Promise<Job>
}

/**
 * Makes services that share one fake provider, one job store and one manual clock, as several processes would.
 * @param fake how the provider behaves
 * @param options for every service, unless `serviceOver` or `start` gets others
 * @example
 * const { create, jobAfter, provider } = fakeWorld({ behave: [{ delayMs: 5_000 }] })
 * const { id } = await create()
 * expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
 * expect(provider.ledger).toHaveLength(1)
 */
export function fakeWorld<const Plugins extends readonly ServicePlugin[] = readonly []>(
  fake: FakeProviderOptions = {},
  options: ProcessChanges<Plugins> = {},
): FakeWorld<Plugins> {
  type Service = GenerationService & MethodsOf<Plugins>
  const clock = manualClock()
  const provider = fakeProvider({ clock, ...fake })
  const store = survivingStore(clock)
  const log = quietLog()
  let first: Service | undefined

  function connect(changes: ProcessChanges) {
    const { jobs, provider: parts, ...own } = { ...options, ...changes }
    // The store counts as memory, because a service that shares its store sweeps so often that days of the clock would
    // take long.
    const backend = { ...store.connect(jobs), durable: false }
    const providers = [{ ...provider, ...parts }]
    const service = createGenerationService({ providers, clock, log, backend, ...own }) as Service
    return { backend, service }
  }

  const world: FakeWorld<Plugins> = {
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

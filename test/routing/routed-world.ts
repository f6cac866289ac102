import { createGenerationService, type GenerationService, type Job, routeModel } from '@genmount/core'
import type { CallbackRequest, GenerationServiceOptions, Provider } from '@genmount/core'
import {
  type FakeProvider,
  fakeProvider,
  type FakeProviderOptions,
  manualClock,
  quietLog,
  survivingStore,
} from '@genmount/testing'

export type Scripts = Readonly<Record<string, Omit<FakeProviderOptions, 'name' | 'clock' | 'sendCallback'>>>

export type Door = (provider: Provider) => Provider

export interface WorldOptions extends Partial<GenerationServiceOptions> {
  /** The names of the providers whose vendors send callbacks. */
  readonly callingBack?: readonly string[]
}

/** Named providers, whose vendors count what was paid, and processes on one store, which route a model to these providers. */
export function routedWorld(scripts: Scripts, { callingBack = [], ...options }: WorldOptions = {}) {
  const clock = manualClock()
  const store = survivingStore(clock)
  const log = quietLog()
  const callbacks: [jobId: string, request: CallbackRequest][] = []
  const sendCallback = (jobId: string, request: CallbackRequest) => callbacks.push([jobId, request])
  const providers = new Map<string, FakeProvider>()
  for (const [name, script] of Object.entries(scripts)) {
    const calls = callingBack.includes(name) ? { sendCallback } : {}
    providers.set(name, fakeProvider({ name, clock, ...calls, ...script }))
  }
  const living = new Set<GenerationService>()

  /**
   * Starts a process whose model `flux` has routes over these providers in this order. Each provider also has a model of its own
   * name.
   * @param door wraps each provider of the process
   */
  function start(order: readonly string[] = [...providers.keys()], door: Door = (provider) => provider) {
    const backend = store.connect()
    const routes = order.map((name) => ({ provider: door(provider(name)), model: 'fake-image' }))
    const service = createGenerationService({
      providers: [
        routeModel({ id: 'flux', routes }),
        ...routes.map((route) => routeModel({ id: route.provider.name, routes: [route] })),
      ],
      clock,
      backend,
      log,
      ...options,
    })
    service.start()
    living.add(service)
    const kill = () => {
      backend.kill()
      living.delete(service)
    }
    return { service, kill }
  }

  function provider(name: string): FakeProvider {
    const found = providers.get(name)
    if (!found) throw new Error(`There is no provider ${name}.`)
    return found
  }

  async function create(service: GenerationService, model = 'flux'): Promise<string> {
    const { job } = await service.create({ owner: 'alice', model, input: { prompt: 'a fox' } })
    return job.id
  }

  async function job(id: string): Promise<Job> {
    const stored = await store.jobs.get(id)
    if (!stored) throw new Error(`There is no job ${id}.`)
    return stored
  }

  /** Which providers have been paid for the job. */
  function paidBy(id: string): string[] {
    return [...providers.values()].flatMap(({ name, ledger }) =>
      ledger.filter(({ jobId }) => jobId === id).map(() => name),
    )
  }

  /** Which providers the job was submitted to, in the order in which it was. */
  function submittedTo(id: string): string[] {
    const calls = [...providers.values()].flatMap(({ name, submits }) =>
      submits.filter(({ jobId }) => jobId === id).map(({ at }) => ({ name, at })),
    )
    return calls.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
  }

  return {
    clock,
    store,
    start,
    provider,
    create,
    job,
    paidBy,
    submittedTo,
    logged: log.lines,
    callbacks,
    /** Closes all living processes. During the close, the time of hanging submits runs out. */
    async close() {
      const closed = Promise.all([...living].map((service) => service.close()))
      await clock.advance(60_000)
      await closed
    },
  }
}

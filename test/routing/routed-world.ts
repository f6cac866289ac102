import { type GenerationServiceOptions, routeModel, type RouteOrder } from '@genmount/core'
import { type FakeProviderOptions, quietLog } from '@genmount/testing'
import { sharedMemory } from '../deaths/simulated/shared-stores.ts'
import { type ProcessChanges, startWorld } from '../deaths/simulated/simulated-world.ts'

export type Scripts = Readonly<Record<string, Omit<FakeProviderOptions, 'name' | 'clock'>>>

export type RoutedWorld = ReturnType<typeof routedWorld>

/**
 * Starts a world of named providers. The model `flux` of each process has routes over the providers of the process, in
 * their order. Each provider also has a model of its own name.
 * @param order orders the routes of `flux` for each job. @default the order of the providers
 */
export function routedWorld(
  scripts: Scripts,
  options: Partial<GenerationServiceOptions> = {},
  order?: RouteOrder,
) {
  const log = quietLog()
  const names = Object.keys(scripts)
  const world = startWorld(sharedMemory, {
    vendors: scripts,
    service: { log, ...options },
    offers(providers) {
      const routes = providers.map((provider) => ({ provider, model: 'fake-image' }))
      return [
        routeModel({ id: 'flux', routes, order }),
        ...routes.map((route) => routeModel({ id: route.provider.name, routes: [route] })),
      ]
    },
  })

  const start = (order: ProcessChanges['names'] = names, wrap?: ProcessChanges['wrap']) =>
    world.start(undefined, { names: order, wrap })

  const create = (process: ReturnType<typeof start>, model = 'flux') => world.create(process, model)

  /** Which providers have been paid for the job. */
  const paidBy = (id: string): string[] =>
    names.flatMap((name) => {
      const paid = world.vendorOf(name).ledger.filter(({ jobId }) => jobId === id)
      return paid.map(() => name)
    })

  /** Which providers the job was submitted to, in the order in which it was. */
  function submittedTo(id: string): string[] {
    const calls = names.flatMap((name) => {
      const submits = world.vendorOf(name).submits.filter(({ jobId }) => jobId === id)
      return submits.map(({ at }) => ({ name, at }))
    })
    return calls.toSorted((a, b) => a.at - b.at).map(({ name }) => name)
  }

  /** Closes all living services. During the close, the time of hanging submits runs out. */
  async function close(): Promise<void> {
    const living = world.processes.filter(({ isDead }) => !isDead)
    const closed = Promise.all(living.map(({ service }) => service.close()))
    await world.clock.advance(60_000)
    await closed
  }

  return { ...world, start, create, paidBy, submittedTo, logged: log.lines, close }
}

import { callbackCases } from './callback-cases.ts'
import { lateAnswerCases } from './late-answer-cases.ts'
import { outageCases } from './outage-cases.ts'
import { type OpenStore, type SimulatedWorld, startWorld, type WorldOptions } from './simulated-world.ts'
import { troubledLifeCases } from './troubled-life-cases.ts'

interface PaidJobCase {
  readonly options: WorldOptions
  /** Whether kinds of stores can differ in this, for example because claims and news go through the store. */
  readonly dependsOnStore?: true
  readonly run: (world: SimulatedWorld) => Promise<void>
}

/** The cases by their promises. A promise must hold for each kind of store. */
export type PaidJobCases = Readonly<Record<string, PaidJobCase>>

const cases: PaidJobCases = { ...callbackCases, ...outageCases, ...lateAnswerCases, ...troubledLifeCases }

export type WhichCases = 'all' | 'that depend on the store' | 'that do not depend on the store'

/**
 * Checks that nothing which was paid for is lost when processes die, freeze, can not reach their stores, or
 * get answers and callbacks at bad moments. Each case runs on a new store, on a manual clock.
 * @param openStore opens an empty store that several processes can share
 * @returns the titles of the cases, and the functions that run them
 */
export function paidJobCases(openStore: OpenStore, which: WhichCases): [string, () => Promise<void>][] {
  const chosen = Object.entries(cases).filter(
    ([, { dependsOnStore = false }]) =>
      which === 'all' || dependsOnStore === (which === 'that depend on the store'),
  )
  return chosen.map(([title, { options, run }]) => [
    title,
    async () => {
      const world = startWorld(openStore, options)
      try {
        await run(world)
      } finally {
        await world.close()
      }
    },
  ])
}

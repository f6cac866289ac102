import { callbackCases } from './callback-cases.ts'
import { type EnduranceWorld, type OpenStore, startWorld, type WorldOptions } from './endurance-world.ts'
import { lateAnswerCases } from './late-answer-cases.ts'
import { outageCases } from './outage-cases.ts'
import { troubledLifeCases } from './troubled-life-cases.ts'

/** The cases by their promises. A promise must hold for each kind of store. */
export type EnduranceCases = Readonly<
  Record<string, { readonly options: WorldOptions; readonly run: (world: EnduranceWorld) => Promise<void> }>
>

/**
 * Checks that nothing which was paid for is lost when processes die, freeze, can not reach their stores, or
 * get answers and callbacks at bad moments. Each case runs on a new store, on a manual clock.
 * @param openStore opens an empty store that several processes can share
 */
export function enduranceSuite(openStore: OpenStore): Readonly<Record<string, () => Promise<void>>> {
  const cases = { ...callbackCases, ...outageCases, ...lateAnswerCases, ...troubledLifeCases }
  return Object.fromEntries(
    Object.entries(cases).map(([name, { options, run }]) => [
      name,
      async () => {
        const world = await startWorld(openStore, options)
        try {
          await run(world)
        } finally {
          await world.close()
        }
      },
    ]),
  )
}

import { callbackCases } from './callback-cases.ts'
import { type EnduranceWorld, type OpenStore, startWorld, type WorldOptions } from './endurance-world.ts'
import { lateAnswerCases } from './late-answer-cases.ts'
import { outageCases } from './outage-cases.ts'
import { troubledLifeCases } from './troubled-life-cases.ts'

/** What must hold whichever store keeps the jobs, by its promise. */
export type EnduranceCases = Readonly<
  Record<string, { readonly options: WorldOptions; readonly run: (world: EnduranceWorld) => Promise<void> }>
>

/**
 * Nothing that was paid for is dropped: processes that die, freeze, lose their stores, and hear from their vendors at bad
 * moments. Each case runs on a store of its own, in no real time.
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

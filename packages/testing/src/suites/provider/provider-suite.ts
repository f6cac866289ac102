import { suiteOf, type Suite } from '../suite.ts'
import { capabilityCases } from './capability-cases.ts'
import { modelCases } from './model-cases.ts'
import { taskCases } from './task-cases.ts'
import type { ProviderSubject, Sample } from './task-run.ts'

/**
 * What every `Provider` promises. Every case submits, so run it against a test server of the vendor's or your own.
 * @param samples a valid input for each model that is to be tried; cheap and quick ones
 * @example
 * const suite = providerSuite(() => ({ provider: fakeProvider() }), [
 *   { model: 'fake-image', input: { prompt: 'a fox' } },
 * ])
 */
export function providerSuite(
  create: () => ProviderSubject | Promise<ProviderSubject>,
  samples: readonly [Sample, ...Sample[]],
): Suite {
  const cases = samples.map((sample) =>
    Object.entries({ ...modelCases, ...taskCases, ...capabilityCases }).map(([name, run]) => [
      samples.length > 1 ? `${sample.model}: ${name}` : name,
      (subject: ProviderSubject) => run({ ...subject, sample }),
    ]),
  )
  return suiteOf(create, Object.fromEntries(cases.flat()))
}

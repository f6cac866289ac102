import { readyCases } from '../ready-cases.ts'
import { suiteOf, type Suite } from '../suite.ts'
import { capabilityCases } from './capability-cases.ts'
import { modelCases } from './model-cases.ts'
import { taskCases } from './task-cases.ts'
import { findFaultCases } from './find-fault-cases.ts'
import { pollFaultCases } from './poll-fault-cases.ts'
import { submitFaultCases } from './submit-fault-cases.ts'
import { secretCases } from './secret-cases.ts'
import type { ProviderSubject, Sample } from './provider-subject.ts'
import { type ProviderTrial, runTrial } from './task-run.ts'

const providerCases = {
  ...readyCases('a provider', ({ provider }: ProviderTrial) => provider),
  ...modelCases,
  ...taskCases,
  ...capabilityCases,
  ...submitFaultCases,
  ...pollFaultCases,
  ...findFaultCases,
  ...secretCases,
}

/**
 * The promises of every `Provider`, as cases. The cases submit tasks, which cost money at a real vendor, so
 * run them against a test server.
 * @param create makes a provider. Each case calls it once.
 * @param samples a valid input for each model that is to be tested; choose cheap and quick ones
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
    Object.entries(providerCases).map(([name, run]) => [
      samples.length > 1 ? `${sample.model}: ${name}` : name,
      (subject: ProviderSubject) => runTrial(subject, sample, run),
    ]),
  )
  return suiteOf(create, Object.fromEntries(cases.flat()))
}

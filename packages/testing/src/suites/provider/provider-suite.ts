import assert from 'node:assert/strict'
import { readyCases } from '../ready-cases.ts'
import { type Case, suiteOf, type Suite } from '../suite.ts'
import { capabilityCases, type OptionalMember } from './capability-cases.ts'
import { modelCases } from './model-cases.ts'
import { taskCases } from './task-cases.ts'
import { pollFaultCases } from './poll-fault-cases.ts'
import { submitFaultCases } from './submit-fault-cases.ts'
import { secretCases } from './secret-cases.ts'
import type { ProviderSubject, Sample } from './provider-subject.ts'
import { type ProviderCases, type ProviderTrial, runTrial } from './task-run.ts'

const everyProvider = {
  ...readyCases('a provider', ({ provider }: ProviderTrial) => provider),
  ...modelCases,
  ...taskCases,
  ...submitFaultCases,
  ...pollFaultCases,
  ...secretCases,
}

/** What the author of the test says about the provider. */
export interface ProviderSuiteChoices {
  /**
   * What the provider lacks on purpose, such as `list`. The suite has no cases about it, and fails a provider that has it.
   * @default none: the cases about what the provider lacks are reported as skipped
   */
  readonly lacks?: readonly OptionalMember[] | undefined
}

/**
 * The promises of every `Provider`, as cases. The cases submit tasks, which cost money at a real vendor, so
 * run them against a test server.
 * @param create makes a provider. Each case calls it once.
 * @param samples a valid input for each model that is to be tested; choose cheap and quick ones
 * @param choices what the provider lacks on purpose. A case about an optional function that it lacks otherwise is reported as
 *   skipped by vitest and `node:test`, with the name of the function
 * @example
 * const suite = providerSuite(() => ({ provider: fakeProvider() }), [
 *   { model: 'fake-image', input: { prompt: 'a fox' } },
 * ])
 */
export function providerSuite(
  create: () => ProviderSubject | Promise<ProviderSubject>,
  samples: readonly [Sample, ...Sample[]],
  { lacks = [] }: ProviderSuiteChoices = {},
): Suite {
  const cases = Object.entries({ ...everyProvider, ...casesOfOptions(lacks) })
  return suiteOf(
    create,
    Object.fromEntries(
      samples.flatMap((sample, index) => {
        const place = samples.slice(0, index + 1).filter(({ model }) => model === sample.model).length
        const title = place > 1 ? `${sample.model} (${place}): ` : `${sample.model}: `
        return cases.map(([name, run]) => [
          samples.length > 1 ? title + name : name,
          (subject: ProviderSubject) => runTrial(subject, sample, run),
        ])
      }),
    ),
  )
}

/** The cases about what a provider may lack, without those about what it lacks on purpose. */
function casesOfOptions(lacks: readonly OptionalMember[]): Readonly<Record<string, Case<ProviderTrial>>> {
  const cases: Record<string, Case<ProviderTrial>> = {}
  if (lacks.length > 0)
    cases[`the provider lacks ${lacks.join(', ')}`] = async ({ provider }) => {
      for (const member of lacks)
        assert.ok(!provider[member], `the provider has ${member}: delete it from lacks`)
    }
  for (const [member, ofMember] of Object.entries(capabilityCases) as [OptionalMember, ProviderCases][])
    for (const [name, run] of lacks.includes(member) ? [] : Object.entries(ofMember))
      cases[name] = async (trial) =>
        trial.provider[member]
          ? run(trial)
          : `the provider has no ${member}. If that is on purpose, add it to lacks of the suite`
  return cases
}

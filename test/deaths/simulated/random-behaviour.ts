import fc from 'fast-check'
import { type FakeBehaviour, type FakeFault, refused } from '@genmount/testing'

const faultsOfUnknownOutcome = ['reset', 'server_error', 'hang', { report: { state: 'dreaming' } }] as const

/** A fault of a call that the vendor has not accepted. */
export const fault = fc.constantFrom<FakeFault>(
  ...faultsOfUnknownOutcome,
  'connection_refused',
  refused(),
  refused(7000),
)

/** The value, or `undefined` in one of three cases. */
export const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 3 })

/**
 * What happens to a submit. When it is accepted, its answer may get lost, so that nobody knows whether it was. It is never
 * accepted and then clearly refused: that would be a lie of the vendor, from which no service can protect itself.
 */
export function behaviourWith(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<FakeBehaviour> {
  return fc
    .record({ ...members, answer: optional(fc.constantFrom<FakeFault>(...faultsOfUnknownOutcome)) })
    .map((entries) => Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)))
}

import fc from 'fast-check'
import { lost } from '@genmount/testing'
import { behaviourWith, fault, optional } from './random-behaviour.ts'

/** The optional abilities of a provider, and of the backend. */
export interface Capabilities {
  readonly dedupesSubmits?: boolean
  readonly find?: boolean
  readonly cancel?: boolean
  readonly sendsCallbacks?: boolean
  /** Whether the processes know which of them have ended. Then a poll without news writes nothing. */
  readonly knowsEnds?: boolean
}

const behaviour = behaviourWith({
  submit: optional(fault),
  poll: optional(fc.array(fc.oneof(fault, fc.constant(lost)), { maxLength: 3 })),
  delayMs: optional(fc.integer({ min: 0, max: 90_000 })),
  failure: optional(fc.constant({ code: 'content_policy' } as const)),
  pollAfterMs: optional(fc.integer({ min: -5, max: 20_000 })),
})

/** What happens to the submits of a job, and how long the answers of the vendor take after it has acted. */
const script = fc.record({
  attempts: fc.array(behaviour, { maxLength: 3 }),
  answerMs: fc.oneof(fc.constant(0), fc.nat(40_000)),
})

/** One of these commands for one of the processes, which is so many times as frequent as a command of weight 1. */
function commands<Kind extends string, Parts extends object>(
  weight: number,
  kinds: readonly Kind[],
  parts: { [Name in keyof Parts]: fc.Arbitrary<Parts[Name]> },
) {
  const shape = { node: fc.nat(1), do: fc.constantFrom(...kinds) }
  const arbitrary = fc.tuple(fc.record(shape), fc.record(parts)).map(([head, rest]) => ({ ...head, ...rest }))
  return { weight, arbitrary }
}

/** Instants and durations are in milliseconds of the clock. */
export const command = fc.oneof(
  commands(4, ['create'], { script, key: optional(fc.nat(2)) }),
  commands(6, ['pass'], { ms: fc.oneof(fc.nat(2000), fc.nat(60_000)) }),
  commands(6, ['read', 'wait', 'callback', 'forged callback', 'cancel', 'delete'], { job: fc.nat(9) }),
  commands(2, ['restart', 'crash', 'a day later'], {}),
  commands(2, ['set clock'], { byMs: fc.constantFrom<number>(31_000, 600_000, 3_600_000, -3_540_000) }),
  // The process stands still, from now on or after its next write to the store.
  commands(2, ['freeze'], { ms: fc.constantFrom<number>(5000, 40_000, 70_000), isAtWrite: fc.boolean() }),
  // The process can not reach a store, from now on or after the next answer of the provider to its submit.
  commands(2, ['outage'], {
    store: fc.constantFrom('jobs', 'files'),
    ms: fc.constantFrom<number>(1000, 15_000, 60_000),
    isAtAnswer: fc.boolean(),
  }),
)

/** A command for one of the two processes that serve the same store. */
export type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never
export type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never

export const capabilities = fc.constantFrom<Capabilities>(
  {},
  { dedupesSubmits: true },
  { find: true },
  { sendsCallbacks: true },
  { knowsEnds: true },
  { find: true, knowsEnds: true },
  { sendsCallbacks: true, knowsEnds: true },
  { cancel: true },
  { cancel: true, dedupesSubmits: true },
  { cancel: true, find: true, knowsEnds: true },
  { cancel: true, sendsCallbacks: true },
)

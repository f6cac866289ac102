import fc from 'fast-check'
import { type FakeBehaviour, lost } from '@genmount/testing'
import { behaviourWith, fault, optional } from './random-behaviour.ts'

/** What happens to the submits of a job, and how long the answers of the vendor take after it has acted. */
export interface Script {
  readonly attempts: readonly FakeBehaviour[]
  readonly answerMs: number
}

/**
 * A command for one of the two processes that serve the same store. Instants and durations are in
 * milliseconds of the clock.
 */
export type Command = { readonly node: number } & (
  | { readonly do: 'create'; readonly script: Script; readonly key: number | undefined }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'set clock'; readonly byMs: number }
  | {
      readonly do: 'read' | 'wait' | 'callback' | 'forged callback' | 'cancel' | 'delete'
      readonly job: number
    }
  | { readonly do: 'restart' | 'crash' | 'a day later' }
  /** The process stands still, from now on or after its next write to the store. */
  | { readonly do: 'freeze'; readonly ms: number; readonly isAtWrite: boolean }
  /**
   * The process can not reach a store, from now on or after the next answer of the provider to a submit of
   * this process.
   */
  | {
      readonly do: 'outage'
      readonly store: 'jobs' | 'files'
      readonly ms: number
      readonly isAtAnswer: boolean
    }
)

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

const script: fc.Arbitrary<Script> = fc.record({
  attempts: fc.array(behaviour, { maxLength: 3 }),
  answerMs: fc.oneof(fc.constant(0), fc.nat(40_000)),
})

/** One of these commands, which is so many times as frequent as a command of weight 1. */
function commands<Kind extends Command['do']>(
  weight: number,
  kinds: readonly Kind[],
  parts: { [Name in Exclude<keyof Extract<Command, { do: Kind }>, 'node' | 'do'>]: fc.Arbitrary<unknown> },
) {
  const shape = { node: fc.nat(1), do: fc.constantFrom(...kinds), ...parts }
  return { weight, arbitrary: fc.record(shape) as unknown as fc.Arbitrary<Command> }
}

export const command: fc.Arbitrary<Command> = fc.oneof(
  commands(4, ['create'], { script, key: optional(fc.nat(2)) }),
  commands(6, ['pass'], { ms: fc.oneof(fc.nat(2000), fc.nat(60_000)) }),
  commands(6, ['read', 'wait', 'callback', 'forged callback', 'cancel', 'delete'], { job: fc.nat(9) }),
  commands(2, ['restart', 'crash', 'a day later'], {}),
  commands(2, ['set clock'], { byMs: fc.constantFrom(31_000, 600_000, 3_600_000, -3_540_000) }),
  commands(2, ['freeze'], { ms: fc.constantFrom(5000, 40_000, 70_000), isAtWrite: fc.boolean() }),
  commands(2, ['outage'], {
    store: fc.constantFrom('jobs', 'files'),
    ms: fc.constantFrom(1000, 15_000, 60_000),
    isAtAnswer: fc.boolean(),
  }),
)

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

import type { Store } from '../service/outages.ts'
import { vendorKinds } from '../vendor/task-wish.ts'
import { randomOf } from './random-of.ts'
import type { Order } from './witness.ts'

/** A client who wants one job. */
export interface PlannedClient {
  readonly startsAfterMs: number
  readonly order: Order
  readonly waits: boolean
  /** Which server it asks at first. */
  readonly server: number
}

/** What befalls one server. Durations are of the system's clock. */
export type Blow =
  | { readonly what: 'kill' | 'close' }
  | { readonly what: 'freeze'; readonly forMs: number }
  | {
      readonly what: 'outage'
      readonly store: Store
      readonly forMs: number
      readonly afterNextAnswer: boolean
    }

export interface PlannedBlow {
  readonly blow: Blow
  /** Whom it hits, or the next one who is not frozen. */
  readonly victim: number
}

export interface StormPlan {
  readonly clients: readonly PlannedClient[]
  /** One after the other, at even pauses. */
  readonly blows: readonly PlannedBlow[]
}

export interface StormOptions {
  readonly seed: number
  readonly lastsMs: number
  readonly jobCount: number
  readonly serverCount: number
  readonly blowCount: number
  /** What may befall a server, each as often as it stands here. */
  readonly blows: readonly Blow[]
}

/** Everything that is left to chance in a storm's own process. What the machine makes of it is not. */
export function planStorm({
  seed,
  lastsMs,
  jobCount,
  serverCount,
  blowCount,
  blows,
}: StormOptions): StormPlan {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)

  const clients = Array.from({ length: jobCount }, (_, index) => ({
    startsAfterMs: (lastsMs * index) / jobCount,
    order: {
      owner: index % 2 === 0 ? 'alice' : 'bob',
      model: vendorKinds[below(vendorKinds.length)] ?? 'plain',
      wish: {
        prompt: `order ${index}`,
        task_ms: 20 + below(280),
        answer_ms: random() < 0.5 ? below(1000) : 0,
        outputs: 1 + below(2),
        as: random() < 0.7 ? ('url' as const) : ('bytes' as const),
        fails: random() < 0.1,
        poll_after_ms: 1000 + below(4000),
        loses_answer: random() < 0.15,
      },
      idempotencyKey: random() < 0.5 ? `key ${index}` : undefined,
    },
    waits: random() < 0.5,
    server: below(serverCount),
  }))

  /** Each round has all of them, in another order. */
  function shuffled(): Blow[] {
    return blows
      .map((blow) => ({ blow, lot: random() }))
      .toSorted((a, b) => a.lot - b.lot)
      .map(({ blow }) => blow)
  }
  const rounds = Array.from({ length: Math.ceil(blowCount / blows.length) }, shuffled).flat()
  return { clients, blows: rounds.slice(0, blowCount).map((blow) => ({ blow, victim: below(serverCount) })) }
}

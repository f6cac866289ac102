import type { Order } from '../campaign/witness.ts'
import type { Store } from '../service/server-settings.ts'
import { vendorKinds } from '../vendor/task-wish.ts'
import type { Storm } from './ride-storm.ts'

/** A client that wants one job. */
export interface PlannedClient {
  readonly startsAfterMs: number
  readonly order: Order
  readonly waits: boolean
  /** Whether the client uploads a picture first, to which its order refers. */
  readonly hasPicture: boolean
  /** What the client does with its job: cancels it some time after the create, or deletes it when it has finished. */
  readonly change:
    { readonly what: 'cancel'; readonly afterMs: number } | { readonly what: 'delete' | 'none' }
  /** The number of the server that gets its first request. */
  readonly server: number
}

/** What happens to one server. Durations are in time of the system, not of the service. */
export type Blow =
  | { readonly what: 'kill' | 'close' }
  | { readonly what: 'freeze'; readonly forMs: number }
  /** Postgres ends all connections of all servers, several times and at once. */
  | { readonly what: 'disconnect' }
  | {
      readonly what: 'outage'
      readonly store: Store
      readonly forMs: number
      readonly afterNextAnswer: boolean
    }

export interface PlannedBlow {
  readonly blow: Blow
  /** The number of the server that it hits. If that one is frozen, it hits the next one. */
  readonly victim: number
}

export interface StormPlan {
  readonly clients: readonly PlannedClient[]
  /** The blows in their order, with the same pause between any two. */
  readonly blows: readonly PlannedBlow[]
}

/**
 * Plans everything that is random in a storm. The plan is the same for the same seed; the timing on the
 * machine is not.
 */
export function planStorm(
  { seed, lastsMs, jobCount, blows, models = vendorKinds }: Storm,
  serverCount: number,
  blowCount: number,
): StormPlan {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)

  const clients = Array.from({ length: jobCount }, (_, index) => ({
    startsAfterMs: (lastsMs * index) / jobCount,
    order: {
      owner: index % 2 === 0 ? 'alice' : 'bob',
      model: models[below(models.length)] ?? 'plain',
      wish: {
        prompt: `order ${index}`,
        prepare_ms: random() < 0.3 ? below(400) : 0,
        task_ms: 20 + below(280),
        answer_ms: random() < 0.5 ? below(1000) : 0,
        outputs: 1 + below(2),
        as: random() < 0.7 ? ('url' as const) : ('bytes' as const),
        fails: random() < 0.1,
        poll_after_ms: 1000 + below(4000),
        loses_answer: random() < 0.15,
      },
      idempotencyKey: random() < 0.5 ? `key ${index}` : undefined,
      hasWebhook: random() < 0.5,
    },
    waits: random() < 0.5,
    change: changeAfter(random(), below(800)),
    server: below(serverCount),
    hasPicture: random() < 0.3,
  }))

  function changeAfter(lot: number, afterMs: number): PlannedClient['change'] {
    if (lot < 0.2) return { what: 'cancel', afterMs }
    return { what: lot < 0.4 ? 'delete' : 'none' }
  }

  /** The blows of one round: all of them, in a random order. */
  function shuffled(): Blow[] {
    return blows
      .map((blow) => ({ blow, lot: random() }))
      .toSorted((a, b) => a.lot - b.lot)
      .map(({ blow }) => blow)
  }
  const rounds = Array.from({ length: Math.ceil(blowCount / blows.length) }, shuffled).flat()
  return { clients, blows: rounds.slice(0, blowCount).map((blow) => ({ blow, victim: below(serverCount) })) }
}

/**
 * Pseudo-random numbers from 0 to below 1, the same for the same seed:
 * https://en.wikipedia.org/wiki/Xorshift, 32 bits.
 */
function randomOf(seed: number): () => number {
  // The state must not be zero, because it would stay zero, so its lowest bit is set to 1. The seed is
  // shifted by one bit before, so that it loses nothing. A few rounds make the numbers of similar seeds
  // differ.
  let state = ((seed << 1) ^ 0x9e3779b9) | 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  for (let round = 0; round < 8; round++) next()
  return next
}

import { type Model, systemClock } from '@genmount/core'
import type { ModelOffer } from './offer-models.ts'

/** The models on offer, which change with what the vendor says of them. */
export interface LiveOffer<Entry> extends ModelOffer<Entry> {
  /** Follows the vendor: see `Provider.followModels`. */
  followModels(changed: () => void): () => void
  /** Asks the vendor if it has not answered yet. @throws Error that says why nothing is known */
  read(): Promise<void>
}

const hourMs = 3_600_000

/** How to ask a vendor for its models. */
export interface LiveSource<Entry> {
  /** The models on offer before the vendor has answered. @default none */
  readonly first?: ModelOffer<Entry> | undefined
  /**
   * Asks the vendor.
   * @returns `undefined` when nothing has changed
   * @throws Error that says why nothing is known. The models stay as they are
   */
  read(signal: AbortSignal): Promise<ModelOffer<Entry> | undefined>
  /** How long asking may take, in milliseconds. @default 20000 */
  readonly timeoutMs?: number | undefined
}

/**
 * Offers the models that the vendor names. While somebody follows, the vendor is asked at once and then each hour. An answer
 * that can't be read changes nothing. A model that was on offer once is still known afterwards, for its jobs.
 */
export function liveOffer<Entry>(source: LiveSource<Entry>): LiveOffer<Entry> {
  const { first, timeoutMs = 20_000 } = source
  const clock = systemClock()
  const offers = new Map<string, ModelOffer<Entry>>()
  const models: Model[] = []
  const followers = new Set<() => void>()
  let hasAnswered = false
  let stop = () => {}

  function take(offer: ModelOffer<Entry> | undefined): void {
    for (const { id } of offer?.models ?? []) offers.set(id, offer!)
    models.splice(0, models.length, ...(offer?.models ?? []))
  }

  async function read(signal: AbortSignal): Promise<void> {
    const offer = await source.read(signal)
    hasAnswered = true
    if (!offer) return
    take(offer)
    for (const changed of followers) changed()
  }

  /** Reads now and each hour. @returns a function that ends it */
  function keepReading(): () => void {
    const over = new AbortController()
    let cancel = () => {}
    const again = () => {
      void read(AbortSignal.any([over.signal, AbortSignal.timeout(timeoutMs)])).catch(() => {})
      cancel = clock.after(hourMs, again)
    }
    again()
    return () => {
      cancel()
      over.abort()
    }
  }

  take(first)
  return {
    models,
    of(task) {
      const offer = offers.get(task.model)
      if (offer) return offer.of(task)
      throw new Error(`This provider does not offer a model named ${task.model}.`)
    },
    ofTask: (task) => offers.get(task.model)?.ofTask(task) ?? {},
    followModels(changed) {
      // Each following has a function of its own, also if two services pass the same one.
      const follower = () => changed()
      followers.add(follower)
      if (followers.size === 1) stop = keepReading()
      return () => {
        if (followers.delete(follower) && followers.size === 0) stop()
      }
    },
    async read() {
      if (!hasAnswered) await read(AbortSignal.timeout(timeoutMs))
    },
  }
}

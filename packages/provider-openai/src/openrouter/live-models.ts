import { type Model, systemClock } from '@genmount/core'
import type { VendorClient } from '@genmount/provider-kit'
import { type ListedModel, listedModels } from './listed-models.ts'
import { type ChosenModels, openrouterOffer } from './openrouter-options.ts'

type Offer = ReturnType<typeof openrouterOffer>

/** The models on offer, which change with OpenRouter's list. */
export interface LiveModels extends Offer {
  /** See `Provider.followModels`. */
  followModels(changed: () => void): () => void
  /** Reads the list if it has not been read. @throws Error that says why there is no list */
  read(): Promise<void>
}

const hourMs = 3_600_000
const timeoutMs = 20_000
/** In bytes: the list had about 100 kB in November 2026. */
const maxBytes = 8 * 1024 * 1024

/**
 * Offers the app's models with what OpenRouter's list says of them, or all models of the list. While somebody follows, the
 * list is read at once and then each hour. A list that can't be read changes nothing. A model that was on offer once is
 * still known afterwards, for its jobs.
 * @param chosen the app's models, or `'all'`
 */
export function liveModels(chosen: ChosenModels | 'all', ask: VendorClient['ask']): LiveModels {
  const clock = systemClock()
  const offers = new Map<string, Offer>()
  const models: Model[] = []
  const followers = new Set<() => void>()
  let last: string | undefined
  let stop = () => {}

  function take(offer: Offer | undefined): void {
    for (const { id } of offer?.models ?? []) offers.set(id, offer!)
    models.splice(0, models.length, ...(offer?.models ?? []))
  }

  function update(listed: readonly ListedModel[], text: string): void {
    if (text === last) return
    take(openrouterOffer(chosen === 'all' ? listed.map(({ slug }) => ({ id: slug })) : chosen, listed))
    last = text
    for (const changed of followers) changed()
  }

  async function read(signal: AbortSignal): Promise<void> {
    const answer = await ask({ method: 'GET', path: '/videos/models', signal, maxBytes })
    const listed = answer.ok ? listedModels(answer.json) : undefined
    if (!listed) throw new Error(`OpenRouter's list of models can't be read: status ${answer.status}.`)
    update(listed, answer.text)
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

  take(chosen === 'all' ? undefined : openrouterOffer(chosen, []))
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
      if (last === undefined) await read(AbortSignal.timeout(timeoutMs))
    },
  }
}

import { liveOffer, type VendorClient } from '@genmount/provider-kit'
import { type ListedModel, listedModels } from './listed-models.ts'
import { type ChosenModels, openrouterOffer } from './openrouter-options.ts'

/** In bytes: the list had about 100 kB in November 2026. */
const maxBytes = 8 * 1024 * 1024

/**
 * Offers the app's models with what OpenRouter's list says of them, or all models of the list.
 * @param chosen the app's models, or `'all'`
 */
export function liveModels(chosen: ChosenModels | 'all', ask: VendorClient['ask']) {
  let last: string | undefined
  const offerOf = (listed: readonly ListedModel[]) =>
    openrouterOffer(chosen === 'all' ? listed.map(({ slug }) => ({ id: slug })) : chosen, listed)

  return liveOffer({
    first: chosen === 'all' ? undefined : offerOf([]),
    async read(signal) {
      const answer = await ask({ method: 'GET', path: '/videos/models', signal, maxBytes })
      const listed = answer.ok ? listedModels(answer.json) : undefined
      if (!listed) throw new Error(`OpenRouter's list of models can't be read: status ${answer.status}.`)
      if (answer.text === last) return undefined
      const offer = offerOf(listed)
      last = answer.text
      return offer
    },
  })
}

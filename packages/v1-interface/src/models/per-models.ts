import type { Model } from '@genmount/core'

/**
 * Remembers what `make` makes of the models of a service, until they change.
 * @param models the models, which are read live
 */
export function perModels<Made>(models: readonly Model[], make: () => Made): () => Made {
  let last: { readonly of: readonly Model[]; readonly made: Made } | undefined
  return () => {
    const isSame = last?.of.length === models.length && last.of.every((model, at) => model === models[at])
    if (!last || !isSame) last = { of: [...models], made: make() }
    return last.made
  }
}

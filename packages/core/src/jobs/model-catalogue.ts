import type { Model, Provider } from '../contracts/provider.ts'
import { checkCount } from '../errors/check-option.ts'

export interface ModelCatalogue {
  readonly models: readonly Model[]
  modelOf(id: string): Model | undefined
  providerOf(modelId: string): Provider | undefined
}

/** Who serves which model. @throws TypeError when there is none, or two share an id */
export function modelCatalogue(providers: readonly Provider[]): ModelCatalogue {
  if (!Array.isArray(providers)) throw new TypeError('providers must be a list of providers.')
  const entries = new Map<string, { readonly model: Model; readonly provider: Provider }>()
  for (const provider of providers) {
    checkCount(`callTimeoutMs of provider ${provider.name}`, provider.callTimeoutMs ?? 1)
    for (const model of provider.models) {
      const other = entries.get(model.id)?.provider.name
      if (other)
        throw new TypeError(`providers: ${other} and ${provider.name} both serve a model ${model.id}.`)
      if (model.retentionDays !== undefined)
        checkCount(`retentionDays of model ${model.id}`, model.retentionDays, 1, 3650)
      checkCount(`typicalMs of model ${model.id}`, model.typicalMs ?? 0, 0)
      entries.set(model.id, { model, provider })
    }
  }
  if (entries.size === 0) throw new TypeError('providers must serve at least one model.')
  return {
    models: [...entries.values()].map(({ model }) => model),
    modelOf: (id) => entries.get(id)?.model,
    providerOf: (modelId) => entries.get(modelId)?.provider,
  }
}

import type { GenerationService, Model } from '@genmount/core'
import { modelObject, type ModelObject } from '../wire/model-object.ts'
import { inputJsonSchema } from './input-json-schema.ts'

/** The models of a service by id, as clients see them. They are made anew when the service offers others. */
export function shownModels({
  models,
  retentionDays,
}: Pick<GenerationService, 'models' | 'retentionDays'>): () => ReadonlyMap<string, ModelObject> {
  let shown: readonly Model[] = []
  let objects: ReadonlyMap<string, ModelObject> = new Map()
  return () => {
    const isSame = shown.length === models.length && models.every((model, index) => model === shown[index])
    if (isSame) return objects
    shown = [...models]
    objects = new Map(
      shown.map((model) => [model.id, modelObject(model, inputJsonSchema(model), retentionDays)]),
    )
    return objects
  }
}

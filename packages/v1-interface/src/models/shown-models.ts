import type { GenerationService } from '@genmount/core'
import { modelObject, type ModelObject } from '../wire/model-object.ts'
import { inputJsonSchema } from './input-json-schema.ts'

/** The models of a service by id, as clients see them. They are made at the first call, and kept. */
export function shownModels({
  models,
  retentionDays,
}: Pick<GenerationService, 'models' | 'retentionDays'>): () => ReadonlyMap<string, ModelObject> {
  let objects: ReadonlyMap<string, ModelObject> | undefined
  return () => {
    objects ??= new Map(
      models.map((model) => [model.id, modelObject(model, inputJsonSchema(model), retentionDays)]),
    )
    return objects
  }
}

import type { GenerationService } from '@genmount/core'
import { modelObject, type ModelObject } from '../wire/model-object.ts'
import { inputJsonSchema } from './input-json-schema.ts'
import { perModels } from './per-models.ts'

/** The models of a service by id, as clients see them. They are made at the first call, and kept until the models change. */
export function shownModels({
  models,
  retentionDays,
}: Pick<GenerationService, 'models' | 'retentionDays'>): () => ReadonlyMap<string, ModelObject> {
  return perModels(
    models,
    () =>
      new Map(models.map((model) => [model.id, modelObject(model, inputJsonSchema(model), retentionDays)])),
  )
}

import { type GenerationService, hasEnded, type Model } from '@genmount/core'
import { modelObject, type ModelObject } from '../wire/model-object.ts'
import { inputJsonSchema } from './input-json-schema.ts'

/**
 * The models of a service by id, as clients see them, without those that their vendors have ended. They are made anew when the
 * service offers others.
 */
export function shownModels({
  models,
  clock,
  retentionDays,
}: Pick<GenerationService, 'models' | 'clock' | 'retentionDays'>): () => ReadonlyMap<string, ModelObject> {
  let listed: readonly Model[] = []
  let objects: ReadonlyMap<string, ModelObject> = new Map()
  return () => {
    const now = clock.now()
    const current = models.filter((model) => !hasEnded(model, now))
    const isSame =
      listed.length === current.length && current.every((model, index) => model === listed[index])
    if (isSame) return objects
    listed = current
    objects = new Map(
      listed.map((model) => [model.id, modelObject(model, inputJsonSchema(model), retentionDays)]),
    )
    return objects
  }
}

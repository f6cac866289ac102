import type { Model } from '@genmount/core'
import type { JsonSchema } from '../models/input-json-schema.ts'

/** A model as clients see it. */
export type ModelObject = ReturnType<typeof modelObject>

/**
 * The model object. `created` and `owned_by` have no meaning: they are there because the clients of OpenAI's API expect
 * them.
 * @param retentionDays the retention of models that have none of their own
 */
export function modelObject(model: Model, inputSchema: JsonSchema | undefined, retentionDays: number) {
  const { id, price, typicalMs } = model
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: 'system',
    output_kind: model.outputKind,
    input_schema: inputSchema ?? null,
    price: price
      ? { text: price.text, per: price.per ?? null, usd: price.usd ?? null, usd_by: price.usdBy ?? null }
      : null,
    retention_days: model.retentionDays ?? retentionDays,
    typical_seconds: typicalMs === undefined ? null : typicalMs / 1000,
  }
}

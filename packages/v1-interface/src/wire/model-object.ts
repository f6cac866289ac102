import type { Model, ModelPrice, OutputKind } from '@genmount/core'
import type { JsonSchema } from '../models/input-json-schema.ts'

/** A model as clients see it, in `GET /v1/models`. */
export interface ModelObject {
  /** The id by which a create names it. */
  readonly id: string
  /** Always `model`. */
  readonly object: 'model'
  /** Always 0. */
  readonly created: number
  /** Always `system`. */
  readonly owned_by: string
  /** What it makes. */
  readonly output_kind: OutputKind
  /** The JSON Schema of its input. `null` when its schema gives none. */
  readonly input_schema: JsonSchema | null
  /** What a job costs. `null` when it is not known. */
  readonly price: {
    /** In words. */
    readonly text: string
    /** What `usd` counts. */
    readonly per: string | null
    /** In US dollars. */
    readonly usd: number | null
    /** In US dollars by the values of one input field. */
    readonly usd_by: NonNullable<ModelPrice['usdBy']> | null
  } | null
  /** For how many days its jobs are kept. */
  readonly retention_days: number
  /** How long a job usually takes, in seconds. `null` when it is not known. */
  readonly typical_seconds: number | null
  /** What it does, in one sentence. Absent when its provider does not say. */
  readonly description?: string
  /** When its vendor ends it. Absent when no end is known. */
  readonly ends?: {
    /** The last day on which jobs are accepted, in UTC, such as `2026-12-01`. */
    readonly on: string
    /** What to use instead. `null` when that is not known. */
    readonly replacement: string | null
  }
}

/**
 * The model object. `created` and `owned_by` have no meaning: they are there because the clients of OpenAI's API expect
 * them.
 * @param retentionDays the retention of models that have none of their own
 */
export function modelObject(
  model: Model,
  inputSchema: JsonSchema | undefined,
  retentionDays: number,
): ModelObject {
  const { id, price, typicalMs, description, end } = model
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
    ...(description !== undefined && { description }),
    ...(end && { ends: { on: end.on, replacement: end.replacement ?? null } }),
  }
}

/** What a model makes. */
export type OutputKind = 'image' | 'video'

/** What a model costs. */
export interface ModelPrice {
  /** The price in words. */
  readonly text: string
  /** The unit that `usd` is the price of, such as `image`. `null` if the price has no such unit. */
  readonly per: string | null
  /** The price of one unit in US dollars. `null` if it depends on the input. */
  readonly usd: number | null
  /**
   * The price of one unit in US dollars, by the value of one field of the input. `null` if the price does not depend on
   * exactly one field.
   */
  readonly usd_by: {
    /** The name of the field. */
    readonly field: string
    /** The price for each value of the field. */
    readonly usd: Readonly<Record<string, number>>
  } | null
}

/** The model object, as the service sends it. */
export interface Model {
  /** The value for the field `model` of a create. */
  readonly id: string
  /** Always `model`. */
  readonly object: 'model'
  /** Has no meaning. It is here because clients of OpenAI's API expect it. */
  readonly created: number
  /** Has no meaning. It is here because clients of OpenAI's API expect it. */
  readonly owned_by: string
  /** Whether the model makes images or videos. */
  readonly output_kind: OutputKind
  /** The JSON Schema (draft 2020-12) of a create without `model`. `null` if the service has no schema for the model. */
  readonly input_schema: Readonly<Record<string, unknown>> | null
  /** What the model costs. `null` if the service does not know. */
  readonly price: ModelPrice | null
  /** For how many days the service keeps the jobs of this model. */
  readonly retention_days: number
  /** How long a job usually takes, in seconds. `null` if the service does not know. */
  readonly typical_seconds: number | null
  /** What the model does, in one sentence. Absent if its provider does not say. */
  readonly description?: string
  /** When its vendor ends the model. Absent if the service knows of no end. */
  readonly ends?: {
    /** The last day on which jobs are accepted, in UTC, such as `2026-12-01`. */
    readonly on: string
    /** What to use instead. `null` if the service does not know. */
    readonly replacement: string | null
  }
}

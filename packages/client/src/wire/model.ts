/** What a model makes. */
export type OutputKind = 'image' | 'video'

/** What a model costs. */
export interface ModelPrice {
  /** The price in words. */
  readonly text: string
  /** The unit that `usd` is the price of, such as `image`. `null` where it can't be put so. */
  readonly per: string | null
  /** US dollars for each unit. `null` where they depend on the input. */
  readonly usd: number | null
  /** US dollars for each unit, by the values of one field of the input. `null` where they do not depend on one field. */
  readonly usd_by: {
    /** The name of the field. */
    readonly field: string
    /** The price for each value of the field. */
    readonly usd: Readonly<Record<string, number>>
  } | null
}

/** The model object, as the service gives it. */
export interface Model {
  /** What stands in the field `model` of a create. */
  readonly id: string
  /** Always `model`. */
  readonly object: 'model'
  /** Tells nothing: clients of OpenAI's API expect it. */
  readonly created: number
  /** Tells nothing: clients of OpenAI's API expect it. */
  readonly owned_by: string
  /** What the model makes. */
  readonly output_kind: OutputKind
  /** The JSON Schema (draft 2020-12) of a create without `model`. `null` where the service knows none. */
  readonly input_schema: Readonly<Record<string, unknown>> | null
  /** What the model costs. `null` where the service does not know. */
  readonly price: ModelPrice | null
  /** For how many days its jobs are kept. */
  readonly retention_days: number
  /** How long a job usually takes, in seconds. `null` where the service does not know. */
  readonly typical_seconds: number | null
}

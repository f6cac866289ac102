/**
 * The inputs of models by model id, when they are not known: every model id, with every field. `genmount types` reads
 * the models of a running server and writes an interface to use instead.
 */
export interface AnyModels {
  /** The input of a model: any fields. */
  readonly [model: string]: Readonly<Record<string, unknown>>
}

/** The fields that every create accepts besides the input of its model. */
export interface CreateFields {
  /**
   * Up to 16 texts that the service stores with the job and returns with it. Providers never get them.
   * @default none
   */
  readonly metadata?: Readonly<Record<string, string>> | null
  /** The URL that the service notifies when the job has finished, if the service has webhooks. @default no webhook */
  readonly webhook_url?: string
  /** The events that the service sends to `webhook_url`. @default both */
  readonly webhook_events?: readonly ('job.completed' | 'job.failed')[]
}

/** The id of a model of `Models`. */
export type ModelId<Models> = keyof Models & string

/** The model of a create. */
export interface NamedModel<Id> {
  /** The id of the model. */
  readonly model: Id
}

/** The body of a create: the id of a model, the input of this model, and the fields that every create accepts. */
export type CreateInput<
  Models extends object,
  Id extends ModelId<Models> = ModelId<Models>,
> = NamedModel<Id> & Models[Id] & CreateFields

/**
 * The inputs of models by their ids, where they are not known: every model with every field. `genmount types` writes an
 * interface to use in its place, from a running server.
 */
export interface AnyModels {
  /** The input of a model: any fields. */
  readonly [model: string]: Readonly<Record<string, unknown>>
}

/** The fields that a create has beside the input of its model. */
export interface CreateFields {
  /** Up to 16 texts that are kept with the job and come back in it. Providers never get them. @default none */
  readonly metadata?: Readonly<Record<string, string>> | null
  /** Where the service tells of the job's end, if it has webhooks. @default nowhere */
  readonly webhook_url?: string
  /** Of which ends the service tells. @default both */
  readonly webhook_events?: readonly ('job.completed' | 'job.failed')[]
}

/** The id of a model of `Models`. */
export type ModelId<Models> = keyof Models & string

/** What a create names. */
export interface NamedModel<Id> {
  /** The id of the model. */
  readonly model: Id
}

/** What a create sends: the id of a model with the input of this model, and what every create may have. */
export type CreateInput<
  Models extends object,
  Id extends ModelId<Models> = ModelId<Models>,
> = NamedModel<Id> & Models[Id] & CreateFields

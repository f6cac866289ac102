import type { Client } from '@genmount/client'

/** The fields of a model's input, by their names, as far as the server describes them. */
export type Fields = Readonly<Record<string, FieldSchema>>

/** The part of a field's JSON Schema that matters here. */
export interface FieldSchema {
  readonly type?: unknown
  readonly enum?: readonly unknown[]
  readonly maximum?: number
  readonly anyOf?: readonly FieldSchema[]
}

/** Gives the fields of a model; `undefined` when the server does not describe them. */
export type FieldsOf = (modelId: string) => Promise<Fields | undefined>

/** For how long a description counts, in milliseconds: the operator may change a model. */
const keptMs = 60_000

/** Makes the function that gives the fields of models. It asks the server once a minute for each model. */
export function modelFields(client: Client<object>): FieldsOf {
  const known = new Map<string, { readonly fields: Promise<Fields | undefined>; readonly until: number }>()

  async function ask(modelId: string): Promise<Fields | undefined> {
    const { input_schema: schema } = await client.model(modelId as never)
    return schema?.['properties'] as Fields | undefined
  }

  return (modelId) => {
    const kept = known.get(modelId)
    if (kept && kept.until > performance.now()) return kept.fields
    const fields = ask(modelId)
    known.set(modelId, { fields, until: performance.now() + keptMs })
    fields.catch(() => known.delete(modelId))
    return fields
  }
}

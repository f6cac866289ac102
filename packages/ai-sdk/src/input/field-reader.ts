import { type Client, GenmountError, type OutputKind } from '@genmount/client'
import { modelFields, type ModelFields } from '@genmount/client/model-fields'

/** The fields of a model's input, by their names, as far as the server describes them. */
export type Fields = ModelFields['fields']

/**
 * Returns the fields of a model; `undefined` when the server does not describe them.
 * @throws GenmountError `wrong_output_kind` when the model makes outputs of the other kind
 */
export type FieldsOf = (modelId: string) => Promise<Fields | undefined>

/** How long a description is reused, in milliseconds. It is limited because the operator may change a model. */
const keptMs = 60_000

/**
 * Makes the function that returns the fields of models. It asks the server at most once a minute for each model.
 * @param kind what the models make
 */
export function fieldReader(client: Client<object>, kind: OutputKind): FieldsOf {
  const remembered = new Map<
    string,
    { readonly fields: Promise<Fields | undefined>; readonly until: number }
  >()

  async function ask(modelId: string): Promise<Fields | undefined> {
    const model = await client.model(modelId as never)
    const { output_kind: made } = model
    if (made !== kind)
      throw new GenmountError(
        'wrong_output_kind',
        `${modelId} makes ${made} outputs: use genmount.${made}('${modelId}').`,
      )
    return modelFields(model)?.fields
  }

  return (modelId) => {
    const entry = remembered.get(modelId)
    if (entry && entry.until > performance.now()) return entry.fields
    const fields = ask(modelId)
    remembered.set(modelId, { fields, until: performance.now() + keptMs })
    fields.catch(() => remembered.delete(modelId))
    return fields
  }
}

import type { Model } from '@genmount/client'
import { modelFields, type ModelFields } from '@genmount/client/model-fields'

type Schema = Readonly<Record<string, unknown>>

/**
 * The most fields in a schema. A longer schema would fill an agent's context. The fields that most models have come
 * first.
 */
const maxFields = 40

/** The fields of one model's input. Empty if the service does not know them. */
export function fieldsOf(model: Model): ModelFields['fields'] {
  const fields = readFields.get(model) ?? modelFields(model)?.fields ?? new Map()
  readFields.set(model, fields)
  return fields
}

/** Each call of a tool needs the fields of all models. */
const readFields = new WeakMap<Model, ModelFields['fields']>()

/**
 * The JSON Schema of a tool that runs one of these models. It has the names of the models, and the input fields with
 * the parts of their schemas on which the models agree. The service checks the input against the schema of the chosen
 * model.
 */
export function inputSchema(models: readonly Model[], needed: readonly string[] = []) {
  const names = [...new Set(models.flatMap((model) => [...fieldsOf(model).keys()]))]
  const owners = (name: string) => models.filter((model) => fieldsOf(model).has(name))
  const fieldNames = names.toSorted((a, b) => owners(b).length - owners(a).length).slice(0, maxFields)
  const schemasOf = (name: string) =>
    owners(name).map((model) => (fieldsOf(model).get(name)?.schemaAsSent ?? {}) as Schema)
  const isNeeded = (name: string) => models.every((model) => fieldsOf(model).get(name)?.isRequired)
  const required = new Set([
    ...needed,
    ...fieldNames.filter(isNeeded),
    ...(models.length > 1 ? ['model'] : []),
  ])
  return {
    type: 'object' as const,
    properties: {
      ...Object.fromEntries(
        fieldNames.map((name) => [name, fieldSchema(owners(name), schemasOf(name), models.length)]),
      ),
      model: { type: 'string', enum: models.map(({ id }) => id), description: modelNote(models) },
      metadata: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Up to 16 texts by which the job can be found later.',
      },
      wait: {
        type: 'boolean',
        default: true,
        description:
          'Whether the answer waits for the job, for as long as a call may take. If not, call get_job.',
      },
      dry_run: {
        type: 'boolean',
        default: false,
        description: 'Whether only to say what the job would cost, and whether it would be accepted. Free.',
      },
      idempotency_key: {
        type: 'string',
        maxLength: 255,
        description:
          'Any new text for each new job. Repeat a call whose answer was lost with the same text and input: it then makes no second job, and costs nothing more.',
      },
    },
    required: [...required],
  }
}

function fieldSchema(owners: readonly Model[], schemas: readonly Schema[], count: number): Schema {
  const texts = new Set(schemas.map((schema) => JSON.stringify(schema)))
  const [first = {}] = schemas
  const types = new Set(schemas.map(({ type }) => type))
  // A `$ref` points into the model's own schema, so it cannot be copied into this schema.
  const isWhole = texts.size === 1 && ![...texts].some((text) => text.includes('"$ref"'))
  const schema = isWhole
    ? first
    : types.size === 1 && typeof first['type'] === 'string' && first['type'] !== 'array'
      ? { type: first['type'] }
      : {}
  const only = owners.length < count ? `Only of ${owners.map(({ id }) => id).join(', ')}.` : ''
  const differs = texts.size > 1 ? 'Its values depend on the model: see list_models.' : ''
  const description = [schema['description'], only, differs].filter(Boolean).join(' ')
  return description === '' ? schema : { ...schema, description }
}

/** A note with what each model does, its price and its usual duration. */
function modelNote(models: readonly Model[]): string {
  const notes = models.slice(0, maxFields).map(({ id, description, price, typical_seconds }) => {
    const facts = [
      description?.replace(/\.$/, ''),
      price?.text,
      typical_seconds === null ? undefined : `about ${typical_seconds} s`,
    ]
    const words = facts.filter(Boolean).join(', ')
    return words === '' ? id : `${id}: ${words}`
  })
  return `The model. ${notes.join('; ')}.`
}

import type { Model } from '@genmount/client'

type Schema = Readonly<Record<string, unknown>>

/**
 * The most fields in a schema. A longer schema would fill an agent's context. The fields that most models have come
 * first.
 */
const maxFields = 40

/** The fields of one model's input. Empty if the service does not know them. */
export function fieldsOf({ input_schema }: Model): Readonly<Record<string, Schema>> {
  return (input_schema?.['properties'] ?? {}) as Record<string, Schema>
}

/** The required fields of a model's input. */
function requiredOf({ input_schema }: Model): readonly string[] {
  return (input_schema?.['required'] ?? []) as string[]
}

/**
 * The JSON Schema of a tool that runs one of these models. It has the names of the models, and the input fields with
 * the parts of their schemas on which the models agree. The service checks the input against the schema of the chosen
 * model.
 */
export function inputSchema(models: readonly Model[], needed: readonly string[] = []) {
  const names = [...new Set(models.flatMap((model) => Object.keys(fieldsOf(model))))]
  const owners = (name: string) => models.filter((model) => Object.hasOwn(fieldsOf(model), name))
  const shown = names.toSorted((a, b) => owners(b).length - owners(a).length).slice(0, maxFields)
  const isNeeded = (name: string) => models.every((model) => requiredOf(model).includes(name))
  const required = new Set([...needed, ...shown.filter(isNeeded), ...(models.length > 1 ? ['model'] : [])])
  return {
    type: 'object' as const,
    properties: {
      ...Object.fromEntries(shown.map((name) => [name, fieldSchema(name, owners(name), models.length)])),
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

function fieldSchema(name: string, owners: readonly Model[], count: number): Schema {
  const schemas = owners.map((model) => fieldsOf(model)[name] ?? {})
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

/** A note with each model's price and usual duration. */
function modelNote(models: readonly Model[]): string {
  const notes = models.slice(0, maxFields).map(({ id, price, typical_seconds }) => {
    const facts = [price?.text, typical_seconds === null ? undefined : `about ${typical_seconds} s`]
    const known = facts.filter(Boolean).join(', ')
    return known === '' ? id : `${id}: ${known}`
  })
  return `The model. ${notes.join('; ')}.`
}

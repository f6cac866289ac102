import { errorCodes } from '@genmount/core'

const string = { type: 'string' }
const number = { type: 'number' }
const whole = { type: 'integer' }
const instant = { type: 'string', format: 'date-time' }
const outputKind = { type: 'string', enum: ['image', 'video'] }

/** An object that always has the fields of `properties`, may have those of `others`, and has no other fields. */
export function closed(
  properties: Readonly<Record<string, object>>,
  others: Readonly<Record<string, object>> = {},
) {
  return {
    type: 'object',
    properties: { ...properties, ...others },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** The metadata of a job. */
export const metadata = {
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 512 },
  maxProperties: 16,
}

/** The schema that also accepts `null`. */
export function orNull(schema: { readonly type: string }) {
  return { ...schema, type: [schema.type, 'null'] }
}

/** The job object: see `jobObject`. */
const Job = closed(
  {
    id: string,
    object: { type: 'string', enum: ['generation'] },
    model: string,
    output_kind: outputKind,
    status: { type: 'string', enum: ['processing', 'completed', 'failed'] },
    created_at: instant,
    started_at: orNull(instant),
    completed_at: orNull(instant),
    expires_at: instant,
    retention_days: whole,
    error: orNull(string),
    cost_usd: number,
    input: { type: 'object', additionalProperties: true },
    timings: closed({ inference_ms: whole }),
    urls: closed({ get: { type: 'string', format: 'uri' } }),
    data: { type: 'array', items: closed({ url: { type: 'string', format: 'uri' } }) },
  },
  { metadata },
)

const JobList = closed({
  object: { type: 'string', enum: ['list'] },
  data: { type: 'array', items: { $ref: '#/components/schemas/Job' } },
  has_more: { type: 'boolean' },
  next_cursor: orNull(string),
})

/** The model object: see `modelObject`. */
const Model = closed(
  {
    id: string,
    object: { type: 'string', enum: ['model'] },
    created: whole,
    owned_by: string,
    output_kind: outputKind,
    input_schema: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The JSON Schema of the body of a create, without `model`.',
    },
    price: orNull(
      closed({
        text: string,
        per: orNull(string),
        usd: orNull(number),
        usd_by: orNull(closed({ field: string, usd: { type: 'object', additionalProperties: number } })),
      }),
    ),
    retention_days: whole,
    typical_seconds: orNull(number),
  },
  {
    description: { ...string, description: 'What the model does, in one sentence.' },
    ends: {
      ...closed({ on: string, replacement: orNull(string) }),
      description: 'The last day on which jobs are accepted, and what to use instead.',
    },
  },
)

const ModelList = closed({
  object: { type: 'string', enum: ['list'] },
  data: { type: 'array', items: { $ref: '#/components/schemas/Model' } },
})

/** The error in the body of a refusal: see `errorObject`. */
const errorDetails = closed({
  message: string,
  type: { type: 'string', enum: [...new Set(Object.values(errorCodes).map(({ type }) => type))] },
  param: orNull(string),
  code: { type: 'string', enum: Object.keys(errorCodes) },
  request_id: string,
})

/** The error body: see `errorReply`. */
const Error = closed({ error: errorDetails })

/** What would become of a create: see `estimateReply`. */
const Estimate = closed(
  {
    object: { type: 'string', enum: ['estimate'] },
    model: string,
    output_kind: outputKind,
    input: { type: 'object', additionalProperties: true },
    cost_usd: orNull(number),
    price: { ...orNull(string), description: 'The price of the model in words.' },
    accepted: { type: 'boolean' },
    error: orNull(errorDetails),
    budget_remaining_usd: {
      ...orNull(number),
      description: 'What would be left of the budget with this job, in US dollars.',
    },
  },
  { metadata },
)

/** The objects in the answers of the interface. */
export const wireSchemas = { Job, JobList, Model, ModelList, Error, Estimate }

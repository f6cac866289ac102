import type { OpenapiParts, PluginRoute } from '@genmount/core'
import { operatorSchemas } from './schemas.ts'

const string = { type: 'string' }

/** What a route does: its name, a sentence, the schema of its answer, its parameters and the fields of its body. */
interface Description {
  readonly id: string
  readonly says: string
  readonly answers: string
  readonly status?: number
  readonly parameters?: Readonly<
    Record<string, readonly [description: string, schema?: object, isRequired?: true]>
  >
  readonly fields?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  /** The statuses of the errors that it has besides those of every route with a key. */
  readonly errors?: readonly number[]
}

const limit = [
  'The most of them on one page.',
  { type: 'integer', minimum: 1, maximum: 100, default: 20 },
] as const
const cursor = ['The `next_cursor` of the page before.'] as const
const owner = ['Only what concerns this owner.'] as const
const reason = {
  ...string,
  minLength: 1,
  maxLength: 1000,
  description: 'Why you do this, for the audit log.',
}
const reading = [501, 503]
const acting = [404, 408, 409, 413, 415, 501, 503]

const act = (action: string, says: string): Description => ({
  id: `operator${action}`,
  says,
  answers: 'OperatorJobAct',
  fields: { reason },
  required: ['reason'],
  errors: acting,
})

const descriptions: Readonly<Record<string, Description>> = {
  'GET /v1/operator': {
    id: 'operatorOverview',
    says: 'Shows how this process, its providers and the job store are.',
    answers: 'OperatorOverview',
  },
  'GET /v1/operator/jobs': {
    id: 'operatorListJobs',
    says: 'Lists the jobs of all owners, the newest first. A page may have fewer jobs than `limit` although older ones follow.',
    answers: 'OperatorJobList',
    parameters: {
      state: [
        '`owing`: finished jobs that owe a delivery or a copy of an output.',
        { type: 'string', enum: ['unfinished', 'completed', 'failed', 'owing'] },
      ],
      owner,
      model: ['Only jobs of this model.'],
      task_id: ['Only jobs whose task has this id at its vendor.'],
      limit,
      cursor,
    },
    errors: reading,
  },
  'GET /v1/operator/jobs/:id': {
    id: 'operatorGetJob',
    says: 'Shows a job with its input and the tries to deliver its webhook.',
    answers: 'OperatorJobDetail',
    errors: [404, 503],
  },
  'POST /v1/operator/jobs/:id/cancel': act('CancelJob', 'Cancels a job.'),
  'POST /v1/operator/jobs/:id/delete': act('DeleteJob', 'Deletes a finished job with its files.'),
  'POST /v1/operator/jobs/:id/retry': act(
    'RetryJob',
    'Makes a failed job, on which nothing was spent, again as a new job.',
  ),
  'POST /v1/operator/jobs/:id/deliver': act(
    'DeliverJob',
    'Delivers the webhook of a finished job again, at once.',
  ),
  'GET /v1/operator/budgets': {
    id: 'operatorGetBudgets',
    says: 'Shows what an owner has spent, reserved and been granted, and the limits on that.',
    answers: 'OperatorBudgets',
    parameters: { owner: ['The owner.', string, true] },
    errors: reading,
  },
  'GET /v1/operator/grants': {
    id: 'operatorListGrants',
    says: 'Lists grants, the earliest first.',
    answers: 'OperatorGrantList',
    parameters: { owner, limit, cursor },
    errors: reading,
  },
  'POST /v1/operator/grants': {
    id: 'operatorGrant',
    says: 'Adds to the balance of an owner, or takes from it.',
    answers: 'OperatorGrantAct',
    status: 201,
    fields: {
      owner: string,
      usd: { type: 'number', description: 'In US dollars; less than 0 for a correction.' },
      reason,
      id: { ...string, maxLength: 200, description: 'A second grant with this id changes nothing.' },
    },
    required: ['owner', 'usd', 'reason'],
    errors: acting,
  },
  'GET /v1/operator/keys': {
    id: 'operatorListKeys',
    says: 'Lists the keys whose jobs have ended in the last 30 days, by owner.',
    answers: 'OperatorKeyList',
    parameters: { owner, limit, cursor },
    errors: reading,
  },
  'POST /v1/operator/webhook-tests': {
    id: 'operatorTestWebhook',
    says: 'Sends one signed webhook of the type `webhook.test` to a receiver.',
    answers: 'OperatorWebhookTest',
    fields: {
      url: { ...string, format: 'uri', maxLength: 2048 },
      owner: { ...string, description: 'With whose secrets it is signed.' },
      reason,
    },
    required: ['url', 'reason'],
    errors: acting,
  },
  'GET /v1/operator/audit': {
    id: 'operatorListAudit',
    says: 'Lists what operators have done, the latest first.',
    answers: 'OperatorAuditList',
    parameters: { job: ['Only what was done to this job.'], limit, cursor },
    errors: reading,
  },
}

/** What marks an operation as one of operators. */
const ofOperators = { tags: ['operator'], security: [{ operator: [] }] }

/** The route with its operation in the OpenAPI document. */
export function described(route: PluginRoute): PluginRoute {
  const { operation, method, path } = route
  const description = descriptions[`${method} ${path}`]
  const own = operation ?? (description && (() => operationOf(description)))
  return own ? { ...route, operation: () => ({ ...own(), ...ofOperators }) } : route
}

function operationOf(description: Description): object {
  const { id, says, answers, status = 200, parameters = {}, fields, required, errors = [] } = description
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const listed = Object.entries(parameters).map(([name, [text, schema = string, isRequired = false]]) => ({
    name,
    in: 'query',
    description: text,
    schema,
    ...(isRequired && { required: true }),
  }))
  return {
    operationId: id,
    summary: says,
    // Without any, the document adds those of the path.
    ...(listed.length > 0 && { parameters: listed }),
    ...(fields && {
      requestBody: {
        required: true,
        ...json({ type: 'object', properties: fields, required, additionalProperties: false }),
      },
    }),
    responses: {
      [status]: {
        description: says,
        headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' } },
        ...json({ $ref: `#/components/schemas/${answers}` }),
      },
      ...Object.fromEntries(errors.map((error) => [error, { $ref: `#/components/responses/Error${error}` }])),
    },
  }
}

/** What the plugin adds to the OpenAPI document besides its operations. */
export function operatorOpenapi(): OpenapiParts {
  return {
    schemas: operatorSchemas,
    securitySchemes: {
      operator: {
        type: 'http',
        scheme: 'bearer',
        description: 'The key of an operator. It opens these paths alone, and no key of a client opens them.',
      },
    },
  }
}

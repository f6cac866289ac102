import type { OpenapiParts } from '../contracts/plugin/service-plugin.ts'

const events = ['job.completed', 'job.failed']
const event = { type: 'string', enum: events }
const instant = { type: 'string', format: 'date-time' }
const whole = { type: 'integer' }

/** An object that has all these fields, and no others. */
function closed(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

/** What the plugin `webhooks` adds to the OpenAPI document. */
export function webhookOpenapi(): OpenapiParts {
  return {
    createFields: {
      webhook_url: { type: 'string', format: 'uri', maxLength: 2048 },
      webhook_events: { type: 'array', items: event, minItems: 1, uniqueItems: true },
    },
    schemas: {
      DeliveryList: closed({
        object: { type: 'string', enum: ['list'] },
        data: {
          type: 'array',
          items: closed({
            object: { type: 'string', enum: ['delivery'] },
            event,
            attempted_at: instant,
            status: { type: 'string', enum: ['delivered', 'failed'] },
            response_status: { type: ['integer', 'null'] },
            error: { type: ['string', 'null'] },
          }),
        },
        next_attempt_at: { ...instant, type: ['string', 'null'] },
      }),
    },
    webhooks: {
      ...Object.fromEntries(events.map((name) => [name, delivery(name)])),
      'webhook.test': trial(),
    },
  }
}

/** What the service posts to the receiver of a job. */
function delivery(name: string) {
  const [, end = ''] = name.split('.')
  const omitted = {
    type: 'array',
    items: { type: 'string', enum: ['data.input'] },
    description: 'Present if the input has more than 64 kB of JSON: `data.input` is then `{}`.',
  }
  const outputs = {
    description:
      'Present if the service says more about the outputs: the facts of each, as `GET /v1/jobs/{id}/outputs` lists them.',
  }
  return {
    post: post({
      id: `told${end.replace(/^./, (letter) => letter.toUpperCase())}`,
      says: `Tells the \`webhook_url\` of a job that the job has ${end}.`,
      body: bodyOf(name, 'When the job has ended.', { omitted, outputs }),
      otherwise: {
        410: { description: 'The receiver wants no more tries of this delivery.' },
        default: {
          description: 'The service tries the delivery again for up to three days. It follows no redirect.',
        },
      },
    }),
  }
}

/** What the service posts to a receiver that an operator tries. */
function trial() {
  return {
    post: post({
      id: 'toldTest',
      says: 'Tries a receiver. The job in the body is an example, with the id `gen_test`: there is no such job.',
      body: bodyOf('webhook.test', 'When the test was sent.'),
      otherwise: { default: { description: 'The test has failed. The service does not try it again.' } },
    }),
  }
}

function bodyOf(name: string, timestamp: string, others: Readonly<Record<string, object>> = {}) {
  const body = closed({
    type: { type: 'string', enum: [name] },
    timestamp: { ...instant, description: timestamp },
    data: { $ref: '#/components/schemas/Job' },
  })
  return { ...body, properties: { ...body.properties, ...others } }
}

interface Post {
  readonly id: string
  readonly says: string
  readonly body: object
  /** The answers of the receiver with which the delivery has not arrived. */
  readonly otherwise: Readonly<Record<string, object>>
}

function post({ id, says, body, otherwise }: Post) {
  return {
    operationId: id,
    summary: says,
    // The receiver knows by the signature who posts.
    security: [],
    parameters: [
      header('webhook-id', 'The same in each try of this delivery, and in no other delivery.'),
      header('webhook-timestamp', 'The instant of the try, in seconds since the Unix epoch.', whole),
      header(
        'webhook-signature',
        'The signatures by Standard Webhooks 1.0.0: `v1,` and base64, one for each secret.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': { description: 'The delivery has arrived.' }, ...otherwise },
  }
}

function header(name: string, description: string, schema: object = { type: 'string' }) {
  return { name, in: 'header', required: true, description, schema }
}

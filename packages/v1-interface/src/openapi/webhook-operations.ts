import { closed, webhookEvents } from './wire-schemas.ts'

const whole = { type: 'integer' }

function sent(name: string, description: string, schema: object = { type: 'string' }) {
  return { name, in: 'header', required: true, description, schema }
}

const signature = [
  sent('webhook-id', 'The same in each try of this delivery, and in no other delivery.'),
  sent('webhook-timestamp', 'The instant of the try, in seconds since the Unix epoch.', whole),
  sent(
    'webhook-signature',
    'The signatures by Standard Webhooks 1.0.0: `v1,` and base64, one for each secret.',
  ),
]

function webhook(event: string) {
  const [, end = ''] = event.split('.')
  return {
    post: {
      operationId: `told${end.replace(/^./, (letter) => letter.toUpperCase())}`,
      summary: `Tells the \`webhook_url\` of a job that the job has ${end}.`,
      // The receiver knows by the signature who posts.
      security: [],
      parameters: signature,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: closed(
              {
                type: { type: 'string', enum: [event] },
                timestamp: { type: 'string', format: 'date-time', description: 'When the job has ended.' },
                data: { $ref: '#/components/schemas/Job' },
              },
              {
                omitted: {
                  type: 'array',
                  items: { type: 'string', enum: ['data.input'] },
                  description: 'Present if the input has more than 64 kB of JSON: `data.input` is then `{}`.',
                },
              },
            ),
          },
        },
      },
      responses: {
        '2XX': { description: 'The delivery has arrived.' },
        410: { description: 'The receiver wants no more tries of this delivery.' },
        default: {
          description: 'The service tries the delivery again for up to three days. It follows no redirect.',
        },
      },
    },
  }
}

/** What the service posts to the receivers that clients have named, by event. */
export const webhookOperations = Object.fromEntries(webhookEvents.map((event) => [event, webhook(event)]))

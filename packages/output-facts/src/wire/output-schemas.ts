const text = { type: ['string', 'null'] }
const whole = { type: ['integer', 'null'] }
const amount = { type: ['number', 'null'] }

/** An object that has all these fields, and no others. */
function closed(properties: Readonly<Record<string, object>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

const output = closed({
  object: { type: 'string', enum: ['output'] },
  n: { type: 'integer', description: 'The place of the output, from 0.' },
  url: { type: 'string', format: 'uri' },
  content_type: { ...text, description: 'The media type by the first bytes of the file.' },
  bytes: whole,
  sha256: text,
  width: { ...whole, description: 'In pixels, as the output is shown.' },
  height: whole,
  duration: { ...amount, description: 'Of a film or sound, in seconds.' },
  fps: { ...amount, description: 'Frames per second of a film.' },
  codec: { ...text, description: 'How a film, or else a sound, is coded, such as h264.' },
  has_sound: { type: ['boolean', 'null'] },
  revised_prompt: {
    ...text,
    description: 'The prompt from which the output was made, as its model says it.',
  },
  provenance: {
    oneOf: [
      { type: 'null' },
      closed({
        digital_source_type: {
          ...text,
          description: 'The term of the IPTC, such as trainedAlgorithmicMedia.',
        },
        model: text,
        time: text,
        job: text,
        has_c2pa_manifest: { type: 'boolean' },
      }),
    ],
    description: 'What the file says about how it was made. It is not verified.',
  },
})

/** The schemas of what the route shows. */
export const outputSchemas = {
  OutputList: closed({ object: { type: 'string', enum: ['list'] }, data: { type: 'array', items: output } }),
}

/** The operation of the route for the OpenAPI document. */
export const outputsOperation = () => ({
  operationId: 'listOutputs',
  summary: 'Lists the outputs of a job with the facts of their files. A fact that is not known is null.',
  parameters: [{ $ref: '#/components/parameters/jobId' }],
  responses: {
    200: {
      description: 'The outputs. There are none unless the job has completed.',
      headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OutputList' } } },
    },
    404: { $ref: '#/components/responses/Error404' },
    503: { $ref: '#/components/responses/Error503' },
  },
})

import type { ErrorCode } from '@genmount/core'
import { refusals } from './error-responses.ts'
import { closed, orNull } from './wire-schemas.ts'

/** The error codes of every path that needs a key. */
export const withKey = [
  'invalid_request',
  'missing_api_key',
  'origin_not_allowed',
  'rate_limit_exceeded',
  'internal_error',
] as const
const string = { type: 'string' }
const instant = { ...string, format: 'date-time' }
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const content = (type: string, schema: object) => ({ content: { [type]: { schema } } })
const jsonOf = (schema: string) => content('application/json', { $ref: `#/components/schemas/${schema}` })

/** An answer without a body, or with this one. */
function answer(description: string, headers: readonly string[] = [], body: object = {}) {
  return { description, headers: Object.assign({}, ...['x-request-id', ...headers].map(header)), ...body }
}

/** An answer with a JSON object of this schema. */
const json = (description: string, schema: string, ...headers: readonly string[]) =>
  answer(description, headers, jsonOf(schema))

/**
 * An operation that needs a key.
 * @param codes the codes with which it can refuse, besides those of each path that needs a key
 */
function operation(
  operationId: string,
  summary: string,
  responses: object,
  codes: readonly ErrorCode[],
  parameters?: readonly string[],
  body?: object,
) {
  return {
    operationId,
    summary,
    ...(parameters && {
      parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    }),
    ...(body && { requestBody: { required: true, ...body } }),
    responses: { ...responses, ...refusals(...withKey, ...codes) },
  }
}

function create(operationId: string, summary: string, body: string) {
  const ofJob = [
    'location',
    'retry-after',
    'idempotency-replayed',
    'preference-applied',
    'x-budget-remaining-usd',
  ]
  const jobOrEstimate = {
    oneOf: [{ $ref: '#/components/schemas/Job' }, { $ref: '#/components/schemas/Estimate' }],
  }
  const responses = {
    200: answer(
      'The job has finished within the time that the request waits. With `dry_run=true`, what would become of the job.',
      ofJob,
      content('application/json', jobOrEstimate),
    ),
    202: json('The job is accepted and has not finished.', 'Job', ...ofJob),
  }
  const codes = [
    'request_timeout',
    'idempotency_in_progress',
    'request_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
    'not_supported',
    'store_unavailable',
  ] as const
  const parameters = ['wait', 'dry_run', 'prefer', 'idempotency-key', 'x-spend-usd-per-day']
  return { post: operation(operationId, summary, responses, codes, parameters, jsonOf(body)) }
}

function read(
  operationId: string,
  summary: string,
  responses: object,
  codes: readonly ErrorCode[] = [],
  parameters: readonly string[] = [],
) {
  return { get: operation(operationId, summary, responses, codes, parameters) }
}

const ofJobs = ['job_not_found', 'store_unavailable'] as const

/** The operations of the interface. The paths of creates need the bodies that `createBodies` makes. */
export const operations = {
  '/v1/generate': create('generate', 'Creates a job with any model.', 'Create'),
  '/v1/video/generations': create(
    'generateVideo',
    'Creates a job with a model that makes videos.',
    'CreateVideo',
  ),
  '/v1/images/generations': create(
    'generateImage',
    'Creates a job with a model that makes images.',
    'CreateImage',
  ),
  '/v1/jobs': read(
    'listJobs',
    "Lists the owner's jobs, the newest first.",
    { 200: json('A page of jobs.', 'JobList') },
    ['store_unavailable', 'not_supported'],
    ['limit', 'cursor', 'status', 'ofModel', 'output_kind', 'created_after', 'created_before', 'metadata'],
  ),
  '/v1/jobs/{id}': {
    ...read(
      'getJob',
      'Gets the current state of a job.',
      { 200: json('The job.', 'Job', 'retry-after') },
      ofJobs,
      ['jobId'],
    ),
    delete: operation(
      'deleteJob',
      'Deletes a finished job with its files.',
      { 204: answer('The job is deleted.') },
      [...ofJobs, 'job_processing'],
      ['jobId'],
    ),
  },
  '/v1/jobs/{id}/events': read(
    'getEvents',
    'Streams the events of a job until it has finished.',
    {
      200: answer(
        'Server-sent events: `state` and at last `done` with the job, `progress` with `progress` from 0 to 1 and `queue_position`, `preview` with a picture as a data URI.',
        [],
        content('text/event-stream', string),
      ),
      204: answer('The client has already received `done`.'),
    },
    ofJobs,
    ['jobId', 'last-event-id'],
  ),
  '/v1/jobs/{id}/cancel': {
    post: operation(
      'cancelJob',
      'Cancels a job, which then fails as canceled.',
      {
        200: json('The job has ended.', 'Job'),
        202: json('The provider has not ended the task yet.', 'Job', 'retry-after'),
      },
      [...ofJobs, 'job_finished'],
      ['jobId'],
    ),
  },
  '/v1/files/{id}': read(
    'getFile',
    'Redirects to an output file of a job.',
    { 302: answer('Where the file is.', ['location']) },
    ['file_not_found', 'store_unavailable'],
    ['jobId', 'n'],
  ),
  '/v1/models': read('listModels', 'Lists all models.', { 200: json('The models.', 'ModelList') }),
  '/v1/models/{id}': read(
    'getModel',
    'Gives one model.',
    { 200: json('The model.', 'Model') },
    ['route_not_found'],
    ['modelId'],
  ),
  '/v1/openapi.json': read('getOpenapi', 'Gives this document.', {
    200: answer(
      'This document.',
      [],
      content('application/json', { type: 'object', additionalProperties: true }),
    ),
  }),
}

/** The object with which the interface answers an upload: see `uploadObject`. */
export const uploadSchemas = {
  Upload: closed({
    id: string,
    object: { type: 'string', enum: ['upload'] },
    url: { ...string, description: 'The value for an input in place of a URL.' },
    content_type: string,
    bytes: { type: 'integer' },
    sha256: orNull(string),
    created_at: instant,
    expires_at: instant,
  }),
}

/** The operations for uploads, if clients can upload files. */
export const uploadOperations = {
  '/v1/uploads': {
    post: operation(
      'createUpload',
      'Stores an image, video or audio file. The inputs of jobs refer to it by its `url`.',
      { 201: json('The file is stored.', 'Upload') },
      ['request_timeout', 'request_too_large', 'unsupported_media_type', 'store_unavailable'],
      undefined,
      content('application/octet-stream', { ...string, format: 'binary' }),
    ),
  },
  '/v1/uploads/{id}': {
    delete: operation(
      'deleteUpload',
      'Deletes an upload.',
      { 204: answer('The upload is deleted.') },
      ['file_not_found', 'store_unavailable'],
      ['uploadId'],
    ),
  },
}

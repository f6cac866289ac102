import { refusals } from './error-responses.ts'
import { closed, orNull } from './wire-schemas.ts'

/** The error codes of every path that needs a key. */
const withKey = [
  'invalid_request',
  'missing_api_key',
  'origin_not_allowed',
  'rate_limit_exceeded',
  'internal_error',
] as const
const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })
const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })

/** An answer with a JSON object of this schema. */
function json(description: string, schema: string, ...headers: readonly string[]) {
  return {
    description,
    headers: Object.assign({}, ...['x-request-id', ...headers].map(header)),
    content: { 'application/json': { schema: ref(schema) } },
  }
}

function create(operationId: string, summary: string, body: string) {
  const ofJob = ['location', 'retry-after', 'idempotency-replayed', 'preference-applied']
  return {
    post: {
      operationId,
      summary,
      parameters: ['wait', 'prefer', 'idempotency-key'].map(parameter),
      requestBody: { required: true, content: { 'application/json': { schema: ref(body) } } },
      responses: {
        200: json('The job has finished within the time that the request waits.', 'Job', ...ofJob),
        202: json('The job is accepted and has not finished.', 'Job', ...ofJob),
        ...refusals(
          ...withKey,
          'request_timeout',
          'idempotency_in_progress',
          'request_too_large',
          'unsupported_media_type',
          'idempotency_key_reused',
          'store_unavailable',
        ),
      },
    },
  }
}

function read(
  operationId: string,
  summary: string,
  responses: object,
  parameters: readonly string[] = [],
  others: object = {},
) {
  return { get: { operationId, summary, parameters: parameters.map(parameter), responses }, ...others }
}

const redirect = {
  description: 'Where the file is.',
  headers: { ...header('x-request-id'), ...header('location') },
}

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
    {
      200: json('A page of jobs.', 'JobList'),
      ...refusals(...withKey, 'store_unavailable', 'not_supported'),
    },
    ['limit', 'cursor', 'status', 'model', 'output_kind', 'created_after', 'created_before', 'metadata'],
  ),
  '/v1/jobs/{id}': read(
    'getJob',
    'Gets the current state of a job.',
    {
      200: json('The job.', 'Job', 'retry-after'),
      ...refusals(...withKey, 'job_not_found', 'store_unavailable'),
    },
    ['jobId'],
    {
      delete: {
        operationId: 'deleteJob',
        summary: 'Deletes a finished job with its files.',
        parameters: [parameter('jobId')],
        responses: {
          204: { description: 'The job is deleted.', headers: header('x-request-id') },
          ...refusals(...withKey, 'job_not_found', 'job_processing', 'store_unavailable'),
        },
      },
    },
  ),
  '/v1/jobs/{id}/events': read(
    'getEvents',
    'Streams the events of a job until it has finished.',
    {
      200: {
        description:
          'Server-sent events: `state` and at last `done` with the job, `progress` with `progress` from 0 to 1 and `queue_position`, `preview` with a picture as a data URI.',
        headers: header('x-request-id'),
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      204: { description: 'The client has already received `done`.', headers: header('x-request-id') },
      ...refusals(...withKey, 'job_not_found', 'store_unavailable'),
    },
    ['jobId', 'last-event-id'],
  ),
  '/v1/jobs/{id}/cancel': {
    post: {
      operationId: 'cancelJob',
      summary: 'Cancels a job, which then fails as canceled.',
      parameters: [parameter('jobId')],
      responses: {
        200: json('The job has ended.', 'Job'),
        202: json('The provider has not ended the task yet.', 'Job', 'retry-after'),
        ...refusals(...withKey, 'job_not_found', 'job_finished', 'store_unavailable'),
      },
    },
  },
  '/v1/jobs/{id}/deliveries': read(
    'listDeliveries',
    'Lists the latest tries to deliver the webhook of a job, the latest first.',
    {
      200: json('The tries.', 'DeliveryList'),
      ...refusals(...withKey, 'job_not_found', 'store_unavailable'),
    },
    ['jobId'],
  ),
  '/v1/files/{id}': read(
    'getFile',
    'Redirects to an output file of a job.',
    { 302: redirect, ...refusals(...withKey, 'file_not_found', 'store_unavailable') },
    ['jobId', 'n'],
  ),
  '/v1/models': read('listModels', 'Lists all models.', {
    200: json('The models.', 'ModelList'),
    ...refusals(...withKey),
  }),
  '/v1/models/{id}': read(
    'getModel',
    'Gives one model.',
    { 200: json('The model.', 'Model'), ...refusals(...withKey, 'route_not_found') },
    ['modelId'],
  ),
  '/v1/openapi.json': read('getOpenapi', 'Gives this document.', {
    200: {
      description: 'This document.',
      headers: header('x-request-id'),
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
    },
    ...refusals(...withKey),
  }),
}

const string = { type: 'string' }
const instant = { type: 'string', format: 'date-time' }

/** The upload object: see `uploadObject`. */
const Upload = closed({
  id: string,
  object: { type: 'string', enum: ['upload'] },
  url: { ...string, description: 'The value for an input in place of a URL.' },
  content_type: string,
  bytes: { type: 'integer' },
  sha256: orNull(string),
  created_at: instant,
  expires_at: instant,
})

/** The object with which the interface answers an upload. */
export const uploadSchemas = { Upload }

/** The operations for uploads, if clients can upload files. */
export const uploadOperations = {
  '/v1/uploads': {
    post: {
      operationId: 'createUpload',
      summary: 'Stores an image, video or audio file. The inputs of jobs refer to it by its `url`.',
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        201: json('The file is stored.', 'Upload'),
        ...refusals(
          ...withKey,
          'request_timeout',
          'request_too_large',
          'unsupported_media_type',
          'store_unavailable',
        ),
      },
    },
  },
  '/v1/uploads/{id}': {
    delete: {
      operationId: 'deleteUpload',
      summary: 'Deletes an upload.',
      parameters: [parameter('uploadId')],
      responses: {
        204: { description: 'The upload is deleted.', headers: header('x-request-id') },
        ...refusals(...withKey, 'file_not_found', 'store_unavailable'),
      },
    },
  },
}

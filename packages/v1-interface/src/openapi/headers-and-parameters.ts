const string = { type: 'string' }
const instant = { type: 'string', format: 'date-time' }

function inQuery(name: string, description: string, schema: object) {
  return { name, in: 'query', description, schema }
}

/** The headers of answers. */
export const headers = {
  'x-request-id': {
    description: 'The id of the request, by which the operator finds it in the log.',
    schema: string,
  },
  'retry-after': {
    description: 'How many seconds to wait before the next request.',
    schema: { type: 'integer' },
  },
  ratelimit: {
    description: 'How many requests are left (`r`), and in how many seconds there will be more (`t`).',
    schema: string,
  },
  'ratelimit-policy': {
    description: 'How many requests (`q`) each owner may send in how many seconds (`w`).',
    schema: string,
  },
  'idempotency-replayed': {
    description: '`true` when the job was created by an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'preference-applied': { description: 'How long the request waits, such as `wait=20`.', schema: string },
  location: { description: 'The URL of the job or of the file.', schema: string },
}

/** The parameters of requests. */
export const parameters = {
  jobId: { name: 'id', in: 'path', required: true, description: 'The id of the job.', schema: string },
  uploadId: { name: 'id', in: 'path', required: true, description: 'The id of the upload.', schema: string },
  modelId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the model, percent-encoded.',
    schema: string,
  },
  n: inQuery('n', 'Which output, as an index into `data`.', { type: 'integer', minimum: 0, default: 0 }),
  limit: inQuery('limit', 'The most jobs on one page.', {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
  cursor: inQuery('cursor', 'The `next_cursor` of the page before.', string),
  status: inQuery('status', 'Only jobs with this status.', {
    type: 'string',
    enum: ['processing', 'completed', 'failed'],
  }),
  model: inQuery('model', 'Only jobs of this model.', string),
  output_kind: inQuery('output_kind', 'Only jobs with this kind of output.', {
    type: 'string',
    enum: ['image', 'video'],
  }),
  created_after: inQuery('created_after', 'Only jobs that were created at this instant or later.', instant),
  created_before: inQuery('created_before', 'Only jobs that were created before this instant.', instant),
  metadata: {
    ...inQuery(
      'metadata',
      'Only jobs whose metadata has these keys and values, such as `metadata[album]=7`.',
      {
        type: 'object',
        additionalProperties: string,
      },
    ),
    style: 'deepObject',
  },
  wait: inQuery('wait', '`true` waits until the job has finished, as long as the service allows.', {
    type: 'string',
    enum: ['true', 'false'],
    default: 'false',
  }),
  prefer: {
    name: 'prefer',
    in: 'header',
    description: '`wait=N` waits at most N seconds.',
    schema: string,
  },
  'last-event-id': {
    name: 'last-event-id',
    in: 'header',
    description: 'The id of the last event that the client has received.',
    schema: string,
  },
  'idempotency-key': {
    name: 'idempotency-key',
    in: 'header',
    description: 'A request that repeats an earlier one with the same key creates no second job.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

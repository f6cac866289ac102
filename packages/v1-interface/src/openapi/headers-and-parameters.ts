const string = { type: 'string' }

/** The headers of answers. */
export const headers = {
  'x-request-id': { description: 'The id of the request, for questions about it.', schema: string },
  'retry-after': { description: 'After how many seconds to ask again.', schema: { type: 'integer' } },
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
  modelId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the model, percent-encoded.',
    schema: string,
  },
  n: {
    name: 'n',
    in: 'query',
    description: 'Which output, as an index into `data`.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  wait: {
    name: 'wait',
    in: 'query',
    description: '`true` waits until the job has finished, as long as the service allows.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
  },
  prefer: {
    name: 'prefer',
    in: 'header',
    description: '`wait=N` waits N seconds at the most.',
    schema: string,
  },
  'idempotency-key': {
    name: 'idempotency-key',
    in: 'header',
    description: 'A request that repeats an earlier one with the same key creates no second job.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

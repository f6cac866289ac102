const string = { type: 'string' }
const instant = { type: 'string', format: 'date-time' }

const header = (description: string, schema: object = string) => ({ description, schema })
const inQuery = (name: string, description: string, schema: object = string) => ({
  name,
  in: 'query',
  description,
  schema,
})
const inHeader = (name: string, description: string, schema: object = string) => ({
  ...inQuery(name, description, schema),
  in: 'header',
})
const idOf = (description: string) => ({
  name: 'id',
  in: 'path',
  required: true,
  description,
  schema: string,
})

/** The headers of answers. */
export const headers = {
  'x-request-id': header('The id of the request, by which the operator finds it in the log.'),
  'retry-after': header('How many seconds to wait before the next request.', { type: 'integer' }),
  ratelimit: header('How many requests are left (`r`), and in how many seconds there will be more (`t`).'),
  'ratelimit-policy': header('How many requests (`q`) each owner may send in how many seconds (`w`).'),
  'x-budget-remaining-usd': header(
    'What the budgets of the key and its owner leave for further jobs, in US dollars: the lowest of all. Only with budgets.',
    { type: 'number', minimum: 0 },
  ),
  'idempotency-replayed': header('`true` when the job was created by an earlier request with the same key.', {
    type: 'string',
    enum: ['true'],
  }),
  'preference-applied': header('How long the request waits, such as `wait=20`.'),
  location: header('The URL of the job or of the file.'),
}

/** The parameters of requests. Generators make types of their names here too, so none has the name of a schema. */
export const parameters = {
  jobId: idOf('The id of the job.'),
  uploadId: idOf('The id of the upload.'),
  modelId: idOf('The id of the model, percent-encoded.'),
  n: inQuery('n', 'Which output, as an index into `data`.', { type: 'integer', minimum: 0, default: 0 }),
  limit: inQuery('limit', 'The most jobs on one page.', {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
  }),
  cursor: inQuery('cursor', 'The `next_cursor` of the page before.'),
  status: inQuery('status', 'Only jobs with this status.', {
    type: 'string',
    enum: ['processing', 'completed', 'failed'],
  }),
  ofModel: inQuery('model', 'Only jobs of this model.'),
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
  dry_run: inQuery(
    'dry_run',
    '`true` makes no job. The answer is 200 with an `Estimate`: what the job would cost, and whether it would be accepted.',
    { type: 'string', enum: ['true', 'false'], default: 'false' },
  ),
  prefer: inHeader('prefer', '`wait=N` waits at most N seconds.'),
  'last-event-id': inHeader('last-event-id', 'The id of the last event that the client has received.'),
  'x-spend-usd-per-day': inHeader(
    'x-spend-usd-per-day',
    'What your jobs may cost in 24 hours with this one, in US dollars, for a request that must not spend more.',
    { type: 'number', minimum: 0 },
  ),
  'idempotency-key': inHeader(
    'idempotency-key',
    'A request that repeats an earlier one with the same key creates no second job.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
}

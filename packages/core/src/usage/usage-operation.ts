const string = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const amount = { type: 'number', minimum: 0 }
const sums = {
  jobs: { ...count, description: 'How many jobs ended.' },
  failed: { ...count, description: 'How many of these jobs failed.' },
  outputs: { ...count, description: 'How many outputs the jobs have.' },
  seconds: {
    ...amount,
    description:
      'How many seconds of output completed jobs were ordered to make, of models whose price is by the second.',
  },
  cost_usd: { ...amount, description: 'What the jobs have cost, without unknown costs.' },
  unknown_costs: { ...count, description: 'How many of these jobs have an unknown cost.' },
  reserved_usd: {
    ...amount,
    description:
      'What is reserved for jobs with an unknown cost. Of the whole answer: and for unfinished jobs, as of now.',
  },
}
const object = (properties: object, ...optional: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})
const instant = { type: 'string', format: 'date-time' }
const groupOfOwner = {
  day: { type: 'string', format: 'date' },
  model: string,
  key: { type: ['string', 'null'], description: 'The id of the key. `null` for jobs of keys without an id.' },
}
const inQuery = (name: string, description: string, schema: object) => ({
  name,
  in: 'query',
  description,
  schema,
})

/** `GET /v1/usage` in the OpenAPI document. @param isOfAll whether it is about the jobs of all owners */
export function usageOperation(isOfAll = false): object {
  const names = { type: 'string', enum: [...(isOfAll ? ['owner'] : []), 'day', 'model', 'key'] }
  const group = { ...(isOfAll && { owner: string }), ...groupOfOwner }
  const answer = object({
    object: { type: 'string', enum: ['usage'] },
    from: instant,
    to: instant,
    ...sums,
    group_by: { type: 'array', items: names },
    data: { type: 'array', items: object({ ...group, ...sums }, ...Object.keys(group)) },
    has_more: { type: 'boolean' },
    next_cursor: { type: ['string', 'null'] },
  })
  return {
    operationId: isOfAll ? 'getUsageOfAll' : 'getUsage',
    summary: isOfAll
      ? 'Adds up what the jobs of all owners have cost, also of jobs that are deleted or expired.'
      : "Adds up what the owner's jobs have cost, also of jobs that are deleted or expired.",
    parameters: [
      ...(isOfAll ? [inQuery('owner', 'Only jobs of this owner.', string)] : []),
      inQuery(
        'from',
        'Jobs that ended at this instant or later: an instant or a UTC day. By default since the month began.',
        string,
      ),
      inQuery(
        'to',
        'Jobs that ended before this instant: an instant or a UTC day. By default until now.',
        string,
      ),
      {
        ...inQuery('group_by', 'What the jobs of a row have in common, such as `day,model`.', {
          type: 'array',
          items: names,
        }),
        style: 'form',
        explode: false,
      },
      inQuery('limit', 'The most rows on one page.', {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 1000,
      }),
      inQuery(
        'cursor',
        'The `next_cursor` of the page before, with the same `from`, `to` and `group_by`.',
        string,
      ),
      inQuery('format', 'By default JSON, or CSV with the header `Accept: text/csv`.', {
        type: 'string',
        enum: ['json', 'csv'],
      }),
    ],
    responses: {
      200: {
        description: 'The sums.',
        headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' } },
        content: { 'application/json': { schema: answer }, 'text/csv': { schema: string } },
      },
      503: { $ref: '#/components/responses/Error503' },
    },
  }
}

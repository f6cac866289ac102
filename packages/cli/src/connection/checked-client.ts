import {
  type AnyModels,
  type Client,
  type Estimate,
  GenmountError,
  type Job,
  type JobPage,
  type Model,
  type Upload,
} from '@genmount/client'

/** What a field must have. With `?` it may also be absent or null. */
type Kind = 'text' | 'number' | 'object' | 'list' | `${'text' | 'number' | 'object'}?`
type Fields = Readonly<Record<string, Kind>>

/** The fields that commands use. Servers may send others, and those that are not needed may be absent. */
const jobFields: Fields = {
  id: 'text',
  status: 'text',
  model: 'text?',
  created_at: 'text?',
  completed_at: 'text?',
  expires_at: 'text?',
  error: 'text?',
  cost_usd: 'number?',
  input: 'object?',
  timings: 'object?',
  data: 'list',
}
const estimateFields: Fields = {
  cost_usd: 'number?',
  price: 'text?',
  error: 'object?',
  budget_remaining_usd: 'number?',
}
const modelFields: Fields = {
  id: 'text',
  output_kind: 'text?',
  typical_seconds: 'number?',
  input_schema: 'object?',
  price: 'object?',
  ends: 'object?',
}

/**
 * Makes a client that checks the fields of the server's answers.
 * @throws GenmountError `unexpected_answer` whose `param` is the wrong field, from all its methods
 */
export function checkedClient(client: Client<AnyModels>): Client<AnyModels> {
  const checked: Client<AnyModels> = {
    ...client,
    async estimate(...call) {
      const estimate = checkedFields<Estimate>(await client.estimate(...call), estimateFields)
      if (estimate.error) checkedFields(estimate.error, { code: 'text', message: 'text' }, 'error')
      return estimate
    },
    create: async (...call) => checkedJob(await client.create(...call)),
    get: async (...call) => checkedJob(await client.get(...call)),
    cancel: async (...call) => checkedJob(await client.cancel(...call)),
    async wait(job, options = {}) {
      const { onJob, onProgress } = options
      const latest = await client
        .wait(job, {
          ...options,
          onJob: (news) => onJob?.(checkedJob(news)),
          onProgress: ({ progress, queuePosition, ...rest }) =>
            onProgress?.({ ...rest, progress: numberIn(progress), queuePosition: numberIn(queuePosition) }),
        })
        .catch((error: unknown) => {
          if (error instanceof GenmountError && error.job) checkedJob(error.job)
          throw error
        })
      return checkedJob(latest)
    },
    async *list(filter = {}, options = {}) {
      let page: JobPage | undefined
      do {
        page = await checked.listPage({ ...filter, cursor: page?.next_cursor ?? filter.cursor }, options)
        yield* page.data
      } while (page.next_cursor)
    },
    async listPage(...call) {
      const page = checkedFields<JobPage>(await client.listPage(...call), {
        data: 'list',
        next_cursor: 'text?',
      })
      page.data.forEach((job, n) => checkedJob(job, `data[${n}]`))
      return page
    },
    async models(...call) {
      const { data } = checkedFields<{ readonly data: readonly Model[] }>(
        { data: await client.models(...call) },
        { data: 'list' },
      )
      data.forEach((model, n) => checkedModel(model, `data[${n}]`))
      return data
    },
    model: async (...call) => checkedModel(await client.model(...call)),
    upload: async (...call) => checkedFields<Upload>(await client.upload(...call), { url: 'text' }),
  }
  return checked
}

function checkedJob(answer: Job, path = ''): Job {
  const job = checkedFields<Job>(answer, jobFields, path)
  job.data.forEach((output, n) => checkedFields(output, { url: 'text' }, within(path, `data[${n}]`)))
  return job
}

function checkedModel(answer: Model, path = ''): Model {
  const model = checkedFields<Model>(answer, modelFields, path)
  if (model.price) checkedFields(model.price, { text: 'text?' }, within(path, 'price'))
  if (model.ends) checkedFields(model.ends, { on: 'text', replacement: 'text?' }, within(path, 'ends'))
  return model
}

/** Checks a part of an answer. @param path where the part is in the answer. @default it is the whole answer */
function checkedFields<Part>(part: unknown, fields: Fields, path = ''): Part {
  if (!isOfKind(part, 'object')) throw wrongField('object', path)
  for (const [name, kind] of Object.entries(fields)) {
    const value = (part as Readonly<Record<string, unknown>>)[name]
    if (isOfKind(value, kind)) continue
    throw wrongField(kind.replace('?', ''), within(path, name))
  }
  return part as Part
}

function wrongField(kind: string, path: string): GenmountError {
  const field = path === '' ? '' : ` in "${path}"`
  return new GenmountError('unexpected_answer', `The server's answer has no ${kind}${field}.`, {
    param: path,
  })
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind.endsWith('?') && (value ?? undefined) === undefined) return true
  if (kind === 'list') return Array.isArray(value)
  if (kind.startsWith('object')) return typeof value === 'object' && value !== null && !Array.isArray(value)
  // A text in the place of a number can be printed as well.
  return typeof value === 'string' || (kind.startsWith('number') && typeof value === 'number')
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

import { abortedError, failedJobError } from '../errors/genmount-error.ts'
import { takesNoUploads } from '../files/takes-no-uploads.ts'
import { canStream } from '../follow/follow-events.ts'
import { followJob } from '../follow/follow-job.ts'
import { type Look, readLook } from '../follow/look.ts'
import { type Call, createSender, isStream, noLimitMs, readJson } from '../http/create-sender.ts'
import { untilAborted } from '../http/until-aborted.ts'
import type { AnyModels } from '../wire/create-input.ts'
import type { Job, JobPage } from '../wire/job.ts'
import { idOf, jobPath } from '../wire/job-path.ts'
import { checkClientOptions } from './check-client-options.ts'
import type { Client } from './client.ts'
import type { CallOptions, ClientOptions, CreateOptions, WaitOptions } from './client-options.ts'
import { queryString } from './query-string.ts'
import { randomKey } from './random-key.ts'

/**
 * Makes a client of a genmount server. The client sends nothing until one of its methods is called.
 * @throws TypeError when an option is wrong
 * @example
 * const client = createClient({ baseUrl: 'https://example.org/media', apiKey: 'key' })
 * const job = await client.generate({ model: 'flux', prompt: 'a kite' })
 */
export function createClient<Models extends object = AnyModels>(
  clientOptions: ClientOptions,
): Client<Models> {
  const send = createSender(checkClientOptions(clientOptions))
  const json = <Value>(call: Omit<Call<Value>, 'read'>) => send<Value>({ ...call, read: readJson })

  /** All retries of one create have the same key, so that the service makes one job. */
  function postJob<Answer = Look>(
    input: object,
    { signal, idempotencyKey, spendUsdPerDay }: CreateOptions,
    query = '',
    read: (...answer: Parameters<typeof readLook>) => Promise<unknown> = readLook,
  ): Promise<Answer> {
    return send({
      method: 'POST',
      path: `/generate${query}`,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey ?? randomKey(),
        ...(spendUsdPerDay !== undefined && {
          // The service takes six digits, and a sum in floating point may have more.
          'x-spend-usd-per-day': `${+spendUsdPerDay.toFixed(6)}`,
        }),
      },
      body: JSON.stringify(input),
      signal,
      read: read as Call<Answer>['read'],
    })
  }

  async function follow(id: string, options: WaitOptions, firstLook?: Look): Promise<Job> {
    const job = await followJob(send, id, options, firstLook)
    if (job.status === 'failed') throw failedJobError(job)
    return job
  }

  const remove = (path: string, { signal }: CallOptions = {}) =>
    send<void>({ method: 'DELETE', path, signal, read: () => {} })

  const ask = <Value>(path: string, { signal }: CallOptions = {}) => json<Value>({ path, signal })

  const askForList = async <Item>(path: string, options?: CallOptions) =>
    (await ask<{ readonly data: readonly Item[] }>(path, options)).data

  const client: Client<Models> = {
    async generate(input, options = {}) {
      const { signal, cancelOnAbort, onJob, onProgress } = options
      if (signal?.aborted) throw abortedError(signal)
      // A create that waits reports nothing before the job has finished.
      const isTold = onJob || cancelOnAbort || (onProgress && canStream())
      // The client can only cancel a job whose id it knows, so it completes the create even after an abort.
      const creating = postJob(
        input,
        { ...options, signal: cancelOnAbort ? undefined : signal },
        isTold ? '' : '?wait=true',
      )
      const onAbort = () => creating.then(({ job }) => client.cancel(job)).catch(() => {})
      if (cancelOnAbort) signal?.addEventListener('abort', onAbort)
      try {
        const look = await untilAborted(creating, signal)
        return await follow(look.job.id, { signal, onJob, onProgress }, look)
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    // A service that knows no estimates would make a job. It refuses this key, which is a quotation mark without an end.
    estimate: (input, options) =>
      postJob(input, { ...options, idempotencyKey: '"' }, '?dry_run=true', readJson),
    create: async (input, options = {}) => (await postJob(input, options)).job,
    get: (job, options) => ask(jobPath(job), options),
    wait: (job, options = {}) => follow(idOf(job), options),
    async *list(filter = {}, options) {
      let page: JobPage | undefined
      do {
        page = await client.listPage({ ...filter, cursor: page?.next_cursor ?? filter.cursor }, options)
        yield* page.data
      } while (page.next_cursor)
    },
    listPage: (filter, options) => ask(`/jobs${queryString(filter)}`, options),
    cancel: (job, { signal } = {}) => json({ method: 'POST', path: `${jobPath(job)}/cancel`, signal }),
    delete: (job, options) => remove(jobPath(job), options),
    upload: (file, { type, signal } = {}) =>
      json({
        method: 'POST',
        path: '/uploads',
        headers: {
          'content-type': type ?? ((file as Partial<Blob>).type || 'application/octet-stream'),
        },
        body: file,
        signal,
        isRepeatable: !isStream(file),
        timeoutMs: noLimitMs,
      }),
    takesUploads: ({ signal } = {}) =>
      send({
        method: 'OPTIONS',
        path: '/uploads',
        signal,
        read: ({ headers }) => /POST/.test(headers.get('allow')!),
      }).catch((error) => {
        if (takesNoUploads(error)) return false
        throw error
      }),
    deleteUpload: (upload, options) => remove(`/uploads/${encodeURIComponent(idOf(upload))}`, options),
    usage: (filter, options) => ask(`/usage${queryString(filter)}`, options),
    models: (options) => askForList('/models', options),
    outputs: (job, options) => askForList(`${jobPath(job)}/outputs`, options),
    model: (id, options) => ask(`/models/${id.split('/').map(encodeURIComponent).join('/')}`, options),
    files: ({ data, output_kind: kind }) => data.map(({ url }, n) => ({ n, url, kind })),
    download: (job, n = 0, { signal, ...variant } = {}) =>
      send({
        // This builds the address instead of reading `urls` of the job, because the key is sent to `baseUrl` and
        // nowhere else.
        path: `/files/${encodeURIComponent(idOf(job))}${queryString({ n: n || undefined, ...variant })}`,
        signal,
        timeoutMs: noLimitMs,
        fileOf: jobPath(job),
        read: (response) => response,
      }),
  }
  return client
}

import {
  createGenerationService,
  errorCodes,
  GenerationError,
  memoryBackend,
  memoryFileStore,
  type Admission,
  type Backend,
  type ErrorCode,
  type FileStore,
  type GenerationService,
  type Job,
  type Provider,
} from '@genmount/core'
import * as v from 'valibot'
import { fakeProvider } from '../fake-provider/fake-provider.ts'
import { quietLog } from '../world/quiet-log.ts'
import { anything, refusalPrefix, shortLifeMs, shortLived, suiteLimits } from './suite-jobs.ts'

/** What a host mounts to be put through `httpSuite`. */
export interface HttpSuiteService {
  readonly service: GenerationService
  /** For the adapter, which needs `authenticate: apiKeys(keys)` besides. */
  readonly options: { readonly maxBodyBytes: number; readonly bodyTimeoutMs: number }
  readonly keys: { readonly alice: string; readonly bob: string }
}

/** The service that `httpSuite` expects behind the server: fake models, small limits, a key for two owners. */
export function httpSuiteService(): HttpSuiteService {
  const { maxBodyBytes, bodyTimeoutMs, waitBudgetMs, retentionDays } = suiteLimits
  const service = createGenerationService({
    providers: [fakeProvider(), anythingProvider],
    backend: withShortLives(memoryBackend()),
    files: withHashes(memoryFileStore()),
    waitBudgetMs,
    retentionDays,
    admit,
    log: quietLog(),
  })
  return {
    service,
    options: { maxBodyBytes, bodyTimeoutMs },
    keys: { alice: 'alice-4f1c9a70e2d85b36', bob: 'bob-93d05e7ac1b84f62' },
  }
}

function admit({ input }: Admission): void {
  const prompt = 'prompt' in input ? input.prompt : undefined
  if (typeof prompt !== 'string' || !prompt.startsWith(refusalPrefix)) return
  const code = prompt.slice(refusalPrefix.length)
  if (code in errorCodes) throw new GenerationError(code as ErrorCode, 'The app refuses this job.')
  throw new Error('the billing database said: secret detail')
}

/** Retention is whole days, so a job that expires within the suite has to be given a shorter life in the store. */
function withShortLives(backend: Backend): Backend {
  const { jobs } = backend
  const shorten = (job: Job): Job =>
    job.input['prompt'] === shortLived.prompt ? { ...job, expiresAt: job.createdAt + shortLifeMs } : job
  return {
    ...backend,
    jobs: {
      ...jobs,
      insert: (job) => jobs.insert(shorten(job)),
      replace: (job, expectedRevision) => jobs.replace(shorten(job), expectedRevision),
    },
  }
}

/** Only outputs with a hash have an etag, and the memory store keeps none. */
function withHashes(files: FileStore): FileStore {
  return {
    ...files,
    async open(key) {
      const file = await files.open?.(key)
      if (!file) return undefined
      const digest = await crypto.subtle.digest('SHA-256', await new Response(file.read()).arrayBuffer())
      const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
      return { ...file, sha256 }
    },
  }
}

const anythingProvider: Provider = {
  name: 'suite-anything',
  models: [
    { id: anything.model, outputKind: 'image', input: v.record(v.string(), v.unknown()), retentionDays: 30 },
  ],
  async submit({ input }) {
    const file = { text: 'plain', times: 1, type: 'text/plain', ...(input['file'] as object | undefined) }
    const bytes = new TextEncoder().encode(file.text.repeat(file.times))
    return { state: 'succeeded', outputs: [{ bytes, contentType: file.type }] }
  },
  poll: () => Promise.reject(new Error('every task is finished by its submit')),
}

import {
  createGenerationService,
  errorCodes,
  GenerationError,
  memoryBackend,
  memoryFileStore,
  type Backend,
  type ErrorCode,
  type FileStore,
  type GenerationService,
  type Job,
  type MethodsOf,
  type NewJob,
  type Provider,
  type ServicePlugin,
} from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { type Moderate, moderation } from '@genmount/core/moderation'
import { uploads } from '@genmount/core/uploads'
import { webhooks } from '@genmount/core/webhooks'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { fakeProvider } from '../fake-provider/fake-provider.ts'
import { fakeWebhooks } from '../world/fake-webhooks.ts'
import { quietLog } from '../world/quiet-log.ts'
import {
  anything,
  carolsRequests,
  described,
  refusalPrefix,
  shortLifeMs,
  shortLived,
  suiteLimits,
  suitePage,
  unfit,
} from './suite-jobs.ts'

/** What a server must mount before `httpSuite` can test it. */
export interface HttpSuiteService {
  /** The service to mount. */
  readonly service: GenerationService
  /**
   * The options for the adapter. Pass `authenticate: apiKeys(keys)` and `cors: corsPolicy(pages)` together with them, and for `httpExtensionSuite`
   * `openapi: openapiDocument()`.
   */
  readonly options: {
    /** The largest request body, in bytes. */
    readonly maxBodyBytes: number
    /** How long a client may take to send a body, in milliseconds. */
    readonly bodyTimeoutMs: number
  }
  /** The pages of other origins that may use the server, for the option `cors`: `corsPolicy(pages)`. */
  readonly pages: {
    /** The origins of these pages. */
    readonly origins: readonly string[]
  }
  /** The key of each owner. */
  readonly keys: {
    /** The key of the owner `alice`. */
    readonly alice: string
    /** The key of the owner `bob`. */
    readonly bob: string
    /** The key of the owner `carol`, who may send few requests. Only `httpExtensionSuite` needs it. */
    readonly carol: string
  }
}

/** The options of `httpSuiteService`. */
export interface HttpSuiteServiceOptions<
  Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[],
> {
  /** Stores the jobs. It must be empty. @default `memoryBackend()` */
  readonly backend?: Backend | undefined
  /**
   * Stores the outputs. If it has `link`, set `HttpSubject.linksTo` to the origin of its links. Without `list` the
   * service takes no uploads, and the cases about uploads fail.
   * @default `memoryFileStore()`
   */
  readonly files?: FileStore | undefined
  /**
   * What the host needs beside the plugins of the suite: `[advance()]` in a Durable Object, whose alarm calls `service.advance`.
   * @default none
   */
  readonly plugins?: Plugins | undefined
}

/**
 * Makes the service that `httpSuite` expects behind the server, with fake models, small limits and the keys of three
 * owners.
 */
export function httpSuiteService<const Plugins extends readonly ServicePlugin[] = readonly []>({
  backend = memoryBackend(),
  files = withHashes(memoryFileStore()),
  plugins,
}: HttpSuiteServiceOptions<Plugins> = {}): HttpSuiteService & { readonly service: MethodsOf<Plugins> } {
  const { maxBodyBytes, maxUploadBytes, bodyTimeoutMs, waitBudgetMs, retentionDays } = suiteLimits
  const service = createGenerationService({
    providers: [fakeProvider({ cancel: true }), anythingProvider],
    backend: withShortLives(backend),
    files,
    waitBudgetMs,
    retentionDays,
    admit,
    plugins: [
      ...(files.list ? [uploads({ maxBytes: maxUploadBytes, retentionHours: 1 })] : []),
      limits((owner) => (owner === 'carol' ? { requestsPerMinute: carolsRequests } : {})),
      webhooks(fakeWebhooks()),
      moderation(rules),
      ...(plugins ?? []),
    ],
    log: quietLog(),
  })
  return {
    service: service as GenerationService & MethodsOf<Plugins>,
    options: { maxBodyBytes, bodyTimeoutMs },
    pages: { origins: [suitePage] },
    keys: {
      alice: 'alice-4f1c9a70e2d85b36',
      bob: 'bob-93d05e7ac1b84f62',
      carol: 'carol-5a8e17c3d9b0426f',
    },
  }
}

function admit({ input }: NewJob): void {
  const prompt = 'prompt' in input ? input.prompt : undefined
  if (typeof prompt !== 'string' || !prompt.startsWith(refusalPrefix)) return
  const code = prompt.slice(refusalPrefix.length)
  if (code in errorCodes) throw new GenerationError(code as ErrorCode, 'The app refuses this job.')
  throw new Error('the billing database said: secret detail')
}

const rules: Moderate = {
  input({ input }) {
    const prompt = 'prompt' in input ? input.prompt : undefined
    if (prompt === unfit.undecided) throw new Error('the vision service said: secret detail')
    return prompt === unfit.input ? { refused: unfit.reason } : 'allowed'
  },
  outputs: ({ input }) =>
    'prompt' in input && input.prompt === unfit.outputs ? { refused: unfit.reason } : 'allowed',
}

/**
 * The service keeps jobs for whole days, so a job that is to expire during the suite gets its short life in the store.
 */
function withShortLives(backend: Backend): Backend {
  const { jobs } = backend
  const shorten = (job: Job): Job =>
    job.shownInput['prompt'] === shortLived.prompt ? { ...job, expiresAt: job.createdAt + shortLifeMs } : job
  return {
    ...backend,
    jobs: {
      ...jobs,
      insert: (job) => jobs.insert(shorten(job)),
      replace: (job, expectedRevision) => jobs.replace(shorten(job), expectedRevision),
    },
  }
}

/**
 * Adds the hash of each output, because only outputs with a hash have an etag and the memory store keeps no
 * hash.
 */
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
    {
      id: described.model,
      outputKind: 'image',
      input: toStandardJsonSchema(v.strictObject({ prompt: v.string() })),
      price: described.price,
      typicalMs: described.typicalMs,
    },
  ],
  async submit({ input }) {
    const { copy_of: original } = input
    if (typeof original === 'string')
      return { state: 'succeeded', outputs: [{ bytes: await (await fetch(original)).bytes() }] }
    const file = {
      text: '\x01plain',
      times: 1,
      type: 'application/x-plain',
      ...(input['file'] as object | undefined),
    }
    const bytes = new TextEncoder().encode(file.text.repeat(file.times))
    return { state: 'succeeded', outputs: [{ bytes, contentType: file.type }] }
  },
  poll: () => Promise.reject(new Error('every task is finished by its submit')),
}

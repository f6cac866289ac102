import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import {
  createGenerationService,
  memoryBackend,
  type FileFetch,
  type GenerationServiceOptions,
  type Job,
} from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { fakeFile, fakeProvider, manualClock, type ManualClock, quietLog } from '@genmount/testing'
import { fetchAmong } from '../guarded-fetch/fetch-world.ts'
import { httpAnswer, loopbackOrigin } from '../guarded-fetch/loopback-origin.ts'
import { testCertificate } from '../guarded-fetch/test-certificate.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export const picture = fakeFile('image').bytes

/** How a provider's server answers one request. */
export type OriginAnswer = (socket: Socket, head: string) => void

export const answering =
  (status: number, headers: Record<string, string>, body: string | Uint8Array = ''): OriginAnswer =>
  (socket) =>
    socket.end(httpAnswer(status, headers, body))

/** Object stores often know no better type. */
export const sendPicture = answering(200, { 'content-type': 'application/octet-stream' }, picture)

/** The provider's server over https: https://a.test, in what plays the public internet. */
export async function providerOrigin(answer: OriginAnswer = sendPicture) {
  const origin = await loopbackOrigin((socket, head) => server.answer(socket, head), { tls: true })
  onTestFinished(() => origin[Symbol.asyncDispose]())
  const server = { ...origin, answer, url: (path: string) => `https://a.test:${origin.port}/${path}` }
  return server
}

/** `guardedFetch` in a world in which a.test is public, and b.test in the private network. */
export const worldFetch: FileFetch = fetchAmong(
  { 'a.test': [['127.0.0.1']], 'b.test': [['127.0.0.2']] },
  testCertificate.cert,
).fetch

interface WorldOptions extends Partial<GenerationServiceOptions> {
  readonly clock?: ManualClock
  readonly folder?: string
  readonly fetch?: FileFetch
}

/** A service on a clock that stands still, whose provider gives links, and the /v1 interface to it. */
export async function mirrorWorld({ folder: given, fetch = worldFetch, ...options }: WorldOptions = {}) {
  const folder = given ?? temporaryFolder()
  const { clock = manualClock() } = options
  const provider = fakeProvider({ clock })
  const { backend = memoryBackend({ clock }) } = options
  const log = quietLog()
  const service = createGenerationService({
    providers: [provider],
    backend,
    files: diskFiles({ folder, fetch }),
    clock,
    log,
    ...options,
  })
  onTestFinished(async () => void (await service.close()))
  const handler = toFetchHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
  const ask = (path: string, init: RequestInit = {}) =>
    handler(
      new Request(new URL(path, 'http://app.test'), {
        headers: { authorization: 'Bearer alice-key' },
        ...init,
      }),
    )

  /** Moves the clock on to each next step of the job, and waits for the step, until the job is as wanted. */
  async function driveUntil(id: string, isWanted: (job: Job) => boolean): Promise<Job> {
    for (;;) {
      const stepped = new Promise<void>((resolve) => backend.signals.subscribe(id, () => resolve()))
      const job = await backend.jobs.get(id)
      if (!job) throw new Error('the job is gone')
      if (isWanted(job)) return job
      if (job.claim?.until !== undefined) await stepped
      else if (job.dueAt === undefined) throw new Error('the job has no step left')
      else await clock.advanceTo(Math.max(clock.now(), job.dueAt))
    }
  }

  return {
    folder,
    clock,
    provider,
    service,
    log,
    ask,
    driveUntil,

    /** A completed job with outputs at these links. */
    async completedWith(...outputUrls: readonly string[]): Promise<string> {
      const input = { prompt: 'a kite', output_urls: outputUrls }
      const { job } = await service.create({ owner: 'alice', model: 'fake-image', input })
      await driveUntil(job.id, ({ phase }) => phase === 'completed')
      return job.id
    },

    /** Until the outputs are copied or given up. */
    driveToRest: (id: string) => driveUntil(id, ({ dueAt }) => dueAt === undefined),

    jobText: async (id: string) => (await ask(`/v1/jobs/${id}`)).text(),

    async locationOf(id: string, n = 0): Promise<string> {
      return (await ask(`/v1/files/${id}?n=${n}`)).headers.get('location') ?? ''
    },
  }
}

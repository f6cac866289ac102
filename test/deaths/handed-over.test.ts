import { describe, expect, test } from 'vitest'
import { type FileFetch, type Job, memoryFileStore, type Provider } from '@genmount/core'
import { type SimulatedWorld, startWorld, type WorldOptions } from './simulated/simulated-world.ts'
import { sharedMemory, sharedSqlite } from './simulated/shared-stores.ts'

/**
 * The second service looks for due jobs every 500 ms. It leaves each due job to the process that has it for another 250 ms.
 */
const promptlyMs = 800
const timeoutMs = 5000
/** The vendor asks for a pause of this many milliseconds between two polls. */
const pollAfterMs = 3000

/** A call to the vendor, and when it was made by the services' clock. */
interface Asked {
  readonly what: 'submit' | 'poll' | 'find' | 'fetch'
  readonly at: number
}

interface Setting {
  readonly vendor: NonNullable<WorldOptions['vendor']>
  readonly provider?: Partial<Provider>
  readonly service?: WorldOptions['service']
  /** The first call of this kind gets no answer until it is aborted. */
  readonly hanging?: Asked['what'] | 'put'
}

interface Case extends Setting {
  /** Whether the job is in the state in which the first service is to close. */
  readonly isReached: (job: Job, asked: readonly Asked[]) => boolean
  /** The first call that the second service makes for the job. */
  readonly next: Asked['what']
  /** The job in the store after the first service has closed. */
  readonly left: Partial<Job>
}

const slow = () => ({ delayMs: 10_000, pollAfterMs })
const hangingAnswer = (_task: unknown, attempt: number) =>
  attempt === 1 ? { answer: 'hang' as const, ...slow() } : slow()
const asks = (what: Asked['what']) => (_job: Job, asked: readonly Asked[]) =>
  asked.some((call) => call.what === what)

const cases: Readonly<Record<string, Case>> = {
  'during a submit, if the vendor can be asked for the task': {
    vendor: { find: true, behave: hangingAnswer },
    isReached: asks('submit'),
    next: 'find',
    left: { phase: 'submitting' },
  },
  'during a submit, if the vendor recognises a repeated submit': {
    vendor: { dedupesSubmits: true, behave: hangingAnswer },
    isReached: asks('submit'),
    next: 'submit',
    left: { phase: 'submitting' },
  },
  'during the question to the vendor whether it has the task': {
    vendor: {
      find: true,
      behave: (_task, attempt) => (attempt === 1 ? { answer: 'reset', ...slow() } : slow()),
    },
    hanging: 'find',
    isReached: asks('find'),
    next: 'find',
    left: { phase: 'submitting' },
  },
  'during a poll': {
    vendor: { behave: () => ({ ...slow(), poll: ['hang'] }) },
    isReached: asks('poll'),
    next: 'poll',
    left: { phase: 'running' },
  },
  'during the last poll before the deadline of the job, whose task has been paid for': {
    vendor: { behave: () => ({ delayMs: 1000, pollAfterMs: 20_000, poll: ['hang'] }) },
    service: { deadlineMs: 4000 },
    isReached: asks('poll'),
    next: 'poll',
    left: { phase: 'running' },
  },
  'while the service stores a file': {
    vendor: { behave: slow },
    hanging: 'put',
    isReached: ({ phase }) => phase === 'collecting',
    next: 'poll',
    left: { phase: 'collecting' },
  },
  'while the service copies an output': {
    vendor: { behave: () => ({ delayMs: 500, outputs: [{ url: 'https://vendor.test/1.png' }] }) },
    hanging: 'fetch',
    isReached: asks('fetch'),
    next: 'fetch',
    left: { phase: 'completed' },
  },
}

/** Sets up one vendor for two services. The first call of the kind `hanging` gets no answer. */
async function twoServices(
  openStore: () => ReturnType<typeof sharedMemory>,
  { vendor, provider, service, hanging }: Setting,
) {
  const asked: Asked[] = []
  let isHanging = true
  const never = new Promise<never>(() => {})
  const ask = (what: Asked['what'], signal?: AbortSignal): Promise<void> => {
    asked.push({ what, at: world.clock.now() })
    if (!isHanging || what !== hanging) return Promise.resolve()
    isHanging = false
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const files = memoryFileStore()
  const fetch: FileFetch = async (_url, { signal }) => {
    await ask('fetch', signal)
    return { body: new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 0)]).stream() }
  }
  const watched: Partial<Provider> = {
    ...provider,
    submit: (task, call) => ask('submit').then(() => world.vendor.submit(task, call)),
    poll: (task, call) => ask('poll', call.signal).then(() => world.vendor.poll(task, call)),
    ...(vendor.find && {
      find: (task, call) => ask('find', call.signal).then(() => world.vendor.find?.(task, call)),
    }),
  }
  const world: SimulatedWorld = startWorld(openStore, {
    vendor,
    provider: watched,
    service: {
      ...service,
      files: {
        ...files,
        fetch,
        put: (...put) => (isHanging && hanging === 'put' ? never : files.put(...put)),
      },
    },
  })
  return { world, asked, heal: () => void (isHanging = false) }
}

describe.each([
  ['one store in memory', sharedMemory],
  ['one SQLite file', sharedSqlite],
])('over %s, another service goes on at once with a job whose service closes', (_name, openStore) => {
  test.each(Object.entries(cases))('%s', async (_title, scenario) => {
    const { world, asked, heal } = await twoServices(openStore, scenario)
    try {
      let handedOver: Job | undefined
      const leaving = world.start((job) => void (handedOver = job))
      const id = await world.create(leaving)
      expect(await world.passUntil(async () => scenario.isReached(await world.job(id), asked))).toBe(true)
      const before = await world.job(id)
      world.start()
      const askedBefore = asked.length
      let isClosed = false
      void leaving.service.close({ timeoutMs }).then(() => {
        isClosed = true
        heal()
      })
      expect(await world.passUntil(() => isClosed, timeoutMs + 1000)).toBe(true)
      const left = handedOver!
      expect(left).toMatchObject({ attempts: before.attempts, ...scenario.left })
      expect([left.claim?.until, left.claim?.deaths]).toEqual([undefined, undefined])
      expect(left.setback).toEqual(before.setback)

      expect(await world.passUntil(() => asked.length > askedBefore)).toBe(true)
      const next = asked[askedBefore]!
      expect(next.what).toBe(scenario.next)
      expect(next.at - left.updatedAt!).toBeLessThanOrEqual(promptlyMs)

      const isDone = async () => (await world.job(id)).dueAt === undefined
      expect(await world.passUntil(isDone)).toBe(true)
      expect(await world.job(id)).toMatchObject({
        phase: 'completed',
        outputs: [{ fileKey: expect.any(String) }],
      })
      expect(world.vendor.ledger).toHaveLength(1)
    } finally {
      await world.close()
    }
  })

  test('before a submit, so that only the other service submits the job', async () => {
    const { world, asked } = await twoServices(openStore, { vendor: { behave: slow } })
    try {
      let handedOver: Job | undefined
      let isClosing = false
      const leaving = world.start((job) => {
        handedOver = job
        if (isClosing || job.phase !== 'submitting') return
        isClosing = true
        void leaving.service.close({ timeoutMs })
      })
      const id = await world.create(leaving)
      expect(await world.passUntil(() => handedOver?.phase === 'accepted' && isClosing)).toBe(true)
      expect(asked).toEqual([])
      world.start()
      expect(await world.passUntil(() => asked.length > 0)).toBe(true)
      expect(asked[0]!.at - handedOver!.updatedAt!).toBeLessThanOrEqual(promptlyMs)
      expect(await world.passUntil(async () => (await world.job(id)).phase === 'completed')).toBe(true)
      expect(world.vendor.ledger).toHaveLength(1)
    } finally {
      await world.close()
    }
  })

  test('while the job waits for its turn at the provider', async () => {
    const { world, asked } = await twoServices(openStore, {
      vendor: { behave: (_task, attempt) => (attempt === 1 ? { answer: 'hang' } : slow()), find: true },
      provider: { maxConcurrentJobs: 1 },
    })
    try {
      const leaving = world.start()
      const ids = [await world.create(leaving), await world.create(leaving)]
      await world.pass(100)
      expect(asked).toHaveLength(1)
      const closedAt = world.clock.now()
      void leaving.service.close({ timeoutMs })
      world.start()
      expect(await world.passUntil(() => asked.length > 1)).toBe(true)
      expect(asked[1]!.at - closedAt).toBeLessThanOrEqual(promptlyMs)
      const areDone = async () =>
        (await Promise.all(ids.map(world.job))).every(({ phase }) => phase === 'completed')
      expect(await world.passUntil(areDone)).toBe(true)
      expect(world.vendor.ledger).toHaveLength(2)
    } finally {
      await world.close()
    }
  })

  test('between two polls, and the next poll is as early as without the close', async () => {
    const { world, asked } = await twoServices(openStore, { vendor: { behave: slow } })
    try {
      const leaving = world.start()
      const id = await world.create(leaving)
      expect(await world.passUntil(() => asked.some(({ what }) => what === 'poll'))).toBe(true)
      const { dueAt = 0 } = await world.job(id)
      world.start()
      void leaving.service.close({ timeoutMs })
      const askedBefore = asked.length
      expect(await world.passUntil(() => asked.length > askedBefore)).toBe(true)
      expect(asked[askedBefore]!.at - dueAt).toBeLessThanOrEqual(promptlyMs)
      expect(await world.passUntil(async () => (await world.job(id)).phase === 'completed')).toBe(true)
    } finally {
      await world.close()
    }
  })

  test('before a callback, which the other service receives', async () => {
    const { world, asked } = await twoServices(openStore, {
      vendor: { behave: () => ({ delayMs: 9000 }), sendCallback() {} },
    })
    try {
      const leaving = world.start()
      const id = await world.create(leaving)
      // The service polls at 8 and at 10 seconds.
      await world.pass(9200)
      const staying = world.start()
      void leaving.service.close({ timeoutMs })
      const askedBefore = asked.length
      const call = world.callBack(id, () => staying)
      expect(await world.passUntil(async () => (await world.job(id)).phase === 'completed', 2000)).toBe(true)
      expect(call.isTaken).toBe(true)
      expect(asked.slice(askedBefore).map(({ what }) => what)).toEqual(['poll'])
    } finally {
      await world.close()
    }
  })

  test('before a callback, which the closing service still receives', async () => {
    const { world, asked } = await twoServices(openStore, {
      vendor: {
        behave: ({ input }) => (input['prompt'] === 'stuck' ? { answer: 'hang' } : { delayMs: 9000 }),
        sendCallback() {},
      },
    })
    try {
      const leaving = world.start()
      const id = await world.create(leaving)
      const stuck = { owner: 'alice', model: 'fake-image', input: { prompt: 'stuck' } }
      await leaving.service.create(stuck)
      // The service polls at 8 and at 10 seconds.
      await world.pass(9200)
      world.start()
      void leaving.service.close({ timeoutMs: 60_000 })
      const askedBefore = asked.length
      const call = world.callBack(id, () => leaving)
      expect(await world.passUntil(async () => (await world.job(id)).phase === 'completed', 2000)).toBe(true)
      expect(call.answers).toEqual(['taken'])
      expect(asked.slice(askedBefore).map(({ what }) => what)).toEqual(['poll'])
    } finally {
      await world.close()
    }
  })
})

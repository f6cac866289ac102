import { expect, test } from 'vitest'
import { fakeProvider, fakeWorld } from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { routeModel } from '../routing/route-model.ts'

const never = new Promise<never>(() => {})

/** A world whose parts record each call of `ready`, and then run the function in `answers`. */
function setUp(answers: Readonly<Record<string, () => Promise<void>>> = {}) {
  const world = fakeWorld()
  const asked: string[] = []
  const part = (name: string) => ({
    ready: async () => {
      asked.push(name)
      await answers[name]?.()
    },
  })
  const { provider, jobs } = world
  const other = { ...fakeProvider({ clock: world.clock, name: 'other' }), ...part('other') }
  const routed = routeModel({ id: 'routed', routes: [{ provider: other, model: 'fake-image' }] })
  const swept: number[] = []
  const service = world.serviceOver({
    providers: [{ ...provider, ...part('fake') }, routed],
    files: { ...memoryFileStore(), ...part('files') },
    spool: { ...memoryFileStore(), ...part('spool') },
    backend: {
      jobs: { ...jobs, due: async (now, limit) => (swept.push(now), jobs.due(now, limit)) },
      scheduler: { wakeAt() {}, start: () => void swept.push(0), stop: async () => {} },
      signals: { publish() {}, subscribe: () => () => {} },
      durable: true,
      close: async () => {},
      ...part('backend'),
    },
  })
  return { ...world, service, asked, swept }
}

const refusing = (message: string) => () => Promise.reject(new Error(message))

test('ready() asks each part once, also those of routes, and takes up no job', async () => {
  const { service, asked, swept, provider } = setUp()
  expect(await service.ready()).toBeUndefined()
  expect(asked.toSorted()).toEqual(['backend', 'fake', 'files', 'other', 'spool'])
  expect([swept, provider.submits]).toEqual([[], []])
})

test('ready() names each part that is not ready, and says why', async () => {
  const answers = {
    backend: refusing('The folder data does not exist.'),
    other: refusing('The worker is missing.'),
  }
  const { service, log } = setUp(answers)
  const fault = await service.ready().catch((error: unknown) => error)
  expect(fault).toMatchObject({
    message:
      'The backend is not ready: The folder data does not exist.\nThe provider other is not ready: The worker is missing.',
    cause: {
      errors: [{ message: 'The folder data does not exist.' }, { message: 'The worker is missing.' }],
    },
  })
  expect(log.lines).toEqual([])
})

test('ready() can be called again once the reason is gone', async () => {
  let isThere = false
  const { service } = setUp({ files: () => (isThere ? Promise.resolve() : refusing('No.')()) })
  await expect(service.ready()).rejects.toMatchObject({
    message: 'The file store is not ready: No.',
    cause: { message: 'No.' },
  })
  isThere = true
  await service.ready()
})

test('ready() names a part that hangs after 30 seconds', async () => {
  const { service, clock } = setUp({ spool: () => never })
  const fault = service.ready().catch(String)
  await clock.advance(31_000)
  expect(await fault).toBe('Error: The spool is not ready: The spool has not answered within 30000 ms.')
  expect(clock.pendingTimers).toBe(0)
})

test('ready() repeats nothing that looks like a secret', async () => {
  const { service } = setUp({ backend: refusing('connect postgres://app:s3cret@db.example/jobs') })
  await expect(service.ready()).rejects.toThrow('postgres://[secret]@db.example/jobs')
})

test('ready() ends when the service closes, and is refused afterwards', async () => {
  const { service, clock } = setUp({ backend: () => never })
  const fault = service.ready().catch(String)
  await clock.advance(0)
  await service.close()
  expect(await fault).toContain('had not answered when the service closed')
  await expect(service.ready()).rejects.toMatchObject({ code: 'shutting_down' })
  expect(clock.pendingTimers).toBe(0)
})

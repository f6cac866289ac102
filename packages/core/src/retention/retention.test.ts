import { expect, test } from 'vitest'
import { exampleJob, fakeFile, fakeWorld } from '@genmount/testing'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const hourMs = 60 * 60_000

/** A store with `count` finished jobs with one output each, which all expire at `expiresAt`. */
async function setUp(count: number, change: (files: FileStore) => Partial<FileStore> = () => ({})) {
  const files = memoryFileStore()
  const { clock, jobs, log, start } = fakeWorld({}, { files: { ...files, ...change(files) } })
  // By then, the service believes its clock.
  const expiresAt = clock.now() + hourMs
  for (let index = 0; index < count; index++) {
    const id = `job-${index}`
    const outputs = [{ fileKey: `${id}-0` }]
    const { dueAt: _, ...job } = exampleJob({ id, clientToken: id, phase: 'completed', outputs, expiresAt })
    await jobs.insert(job)
  }
  const { service } = start()
  const left = async () => {
    const found = await Promise.all(Array.from({ length: count }, (_, index) => jobs.get(`job-${index}`)))
    return found.filter((job) => job !== undefined).length
  }
  return { clock, service, errors: log.errors, left }
}

test('the sweep deletes 1,000 expired jobs a second', async () => {
  const { clock, service, left } = await setUp(10_000)
  await clock.advance(hourMs)
  await clock.advance(10_000)
  expect(await left()).toBe(0)
  await service.close()
})

test('jobs whose files can not be deleted do not delay other deletions, are logged once, and are tried again ever more rarely', async () => {
  let tries = 0
  let isBroken = true
  const isStuck = (key: string) => Number(/\d+/.exec(key)) < 300
  const { clock, service, errors, left } = await setUp(1000, ({ delete: remove }) => ({
    async delete(key) {
      if (isBroken && isStuck(key) && ++tries) throw new Error('EACCES: permission denied')
      return remove(key)
    },
  }))
  await clock.advance(hourMs + 15_000)
  expect([await left(), tries]).toEqual([300, 300])
  await clock.advance(24 * 3_600_000)
  expect(await left()).toBe(300)
  expect(errors).toHaveLength(300)
  expect(errors[0]).toMatch(/^Job job-\d+ .* its files can't be deleted; the tries go on: EACCES/)
  // Each pause is as long as the time since the expiry, but at least a minute and at most six hours.
  expect(tries / 300).toBeGreaterThan(8)
  expect(tries / 300).toBeLessThan(16)
  isBroken = false
  await clock.advance(6.1 * 3_600_000)
  expect(await left()).toBe(0)
  await service.close()
})

test('the files of a job that the memory store forgets to make room are deleted with it', async () => {
  const kept = new Set<string>()
  const files: FileStore = {
    put: async (key) => void kept.add(key),
    open: async () => undefined,
    delete: async (key) => void kept.delete(key),
  }
  const { clock, serviceOver } = fakeWorld()
  const service = serviceOver({ backend: memoryBackend({ clock, maxJobs: 3 }), files })
  const input = { prompt: 'a fox', num_outputs: 4 }
  const ids: string[] = []
  for (let index = 0; index < 10; index++) {
    ids.push((await service.create({ owner: 'alice', model: 'fake-image', input })).job.id)
    await clock.advance(1000)
  }
  expect([...kept]).toEqual(ids.slice(-3).flatMap((id) => [0, 1, 2, 3].map((index) => `${id}-${index}`)))
  await service.close()
})

/**
 * A process that copies the output of a job. The last write of the file waits for `storeLate`.
 * @param aheadMs by how much the clock is set ahead before
 */
async function copyingProcess(aheadMs = 0) {
  const files = memoryFileStore()
  const kept = new Set<string>()
  const lastWrite = Promise.withResolvers<void>()
  const { clock, jobs, log, serviceOver } = fakeWorld(
    { behave: [{ outputs: [{ url: 'https://cdn.test/1.png' }] }] },
    {
      files: {
        ...files,
        fetch: async () => ({ body: new Blob([fakeFile('image').bytes]).stream() }),
        // All bytes have arrived, so the copy can't be called off any more.
        put: async (key) => lastWrite.promise.then(() => void kept.add(key)),
        delete: async (key) => void kept.delete(key),
      },
    },
  )
  /** How many calls the job store still answers. */
  const answers = { get: Infinity, replace: Infinity, expired: Infinity }
  const unlessAway = <Result>(what: keyof typeof answers, ask: () => Promise<Result>) =>
    answers[what]-- > 0 ? ask() : Promise.reject(new Error('no route to the database'))
  const service = serviceOver({
    jobs: {
      get: (...read) => unlessAway('get', () => jobs.get(...read)),
      replace: (...write) => unlessAway('replace', () => jobs.replace(...write)),
      expired: (...read) => unlessAway('expired', () => jobs.expired(...read)),
    },
  })
  clock.set(clock.now() + aheadMs)
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await clock.advance(1000)
  return { clock, jobs, log, kept, answers, service, serviceOver, job, storeLate: () => lastWrite.resolve() }
}

test('a file that is stored after the claim on its deleted job has run out is deleted within an hour, even if its process dies', async () => {
  const { clock, jobs, log, kept, answers, serviceOver, job, storeLate } = await copyingProcess()
  Object.assign(answers, { get: 0, replace: 0, expired: 0 })
  await clock.advance(40_000)
  const second = serviceOver()
  second.start()
  await second.delete(job.id, 'alice')
  await expect(second.get(job.id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
  await clock.advance(10 * 60_000)
  storeLate()
  await clock.advance(1000)
  expect([...kept]).toEqual([`${job.id}-0`])
  await clock.advance(50 * 60_000)
  expect([...kept]).toEqual([])
  expect(await jobs.get(job.id)).toBeUndefined()
  expect(log.errors.filter((line) => line.includes(job.id))).toEqual([])
  await second.close()
})

test('a file that is stored after the claim on a job ran out that was deleted while the clock was 8 days ahead is deleted within half an hour of the right clock, even if its process dies', async () => {
  const { clock, jobs, kept, answers, serviceOver, job, storeLate } = await copyingProcess(8 * 24 * hourMs)
  Object.assign(answers, { get: 0, replace: 0, expired: 0 })
  await clock.advance(40_000)
  const second = serviceOver()
  second.start()
  await second.delete(job.id, 'alice')
  await clock.advance(60_000)
  clock.set(clock.now() - 8 * 24 * hourMs)
  await clock.advance(60_000)
  storeLate()
  await clock.advance(1000)
  expect([...kept]).toEqual([`${job.id}-0`])
  await clock.advance(30 * 60_000)
  expect([...kept]).toEqual([])
  expect(await jobs.get(job.id)).toBeUndefined()
  await second.close()
})

test('a file that is stored after its job was deleted is deleted again, even if the job store is away for minutes', async () => {
  const { clock, jobs, kept, answers, service, job, storeLate } = await copyingProcess()
  await jobs.delete(job.id)
  // The read that follows the stale write is answered, and none after it.
  answers.get = 1
  storeLate()
  await clock.advance(2 * 60_000)
  expect([...kept]).toEqual([`${job.id}-0`])
  answers.get = Infinity
  await clock.advance(10_000)
  expect([...kept]).toEqual([])
  await service.close()
})

test('the row of an expired job whose claim has run out stays while the process of the claim may store a file, and no longer', async () => {
  const { clock, serviceOver } = fakeWorld()
  const { jobs, ...backend } = memoryBackend({ clock })
  const ended = new Set(['dead'])
  const processes = {
    id: 'this',
    hasEnded: async (id: string) => ended.has(id),
    leftBehind: async () => [],
  }
  const service = serviceOver({ backend: { ...backend, jobs, processes } })
  const holders = ['dead', 'frozen', 'slow']
  const expiresAt = clock.now() + hourMs
  for (const holder of holders) {
    const instants = { expiresAt, dueAt: expiresAt }
    await jobs.insert(
      exampleJob({
        id: holder,
        clientToken: holder,
        phase: 'completed',
        claim: { token: `${holder}:1`, until: expiresAt },
        ...instants,
      }),
    )
  }
  const left = async () => {
    const found = await Promise.all(holders.map((id) => jobs.get(id)))
    return found.flatMap((job) => job?.id ?? [])
  }
  service.start()
  await clock.advance(hourMs + 10_000)
  expect(await left()).toEqual(['frozen', 'slow'])
  await clock.advance(10 * 60_000)
  expect(await left()).toEqual(['frozen', 'slow'])
  ended.add('slow')
  await clock.advance(40_000)
  expect(await left()).toEqual(['frozen'])
  await clock.advance(10 * 60_000)
  expect(await left()).toEqual([])
  await service.close()
})

test('a job whose files could not be deleted only after its row had waited for a late file is logged once', async () => {
  const { clock, log, serviceOver } = fakeWorld()
  const { jobs, ...backend } = memoryBackend({ clock })
  const processes = { id: 'this', hasEnded: async () => false, leftBehind: async () => [] }
  let tries = 0
  const files: FileStore = {
    ...memoryFileStore(),
    async delete() {
      if (++tries > 1) throw new Error('EACCES: permission denied')
    },
  }
  const service = serviceOver({ backend: { ...backend, jobs, processes }, files })
  const expiresAt = clock.now() + hourMs
  const instants = { expiresAt, dueAt: expiresAt }
  const outputs = [{ fileKey: 'frozen-0' }]
  await jobs.insert(
    exampleJob({
      id: 'frozen',
      phase: 'completed',
      claim: { token: 'frozen:1', until: expiresAt },
      outputs,
      ...instants,
    }),
  )
  service.start()
  await clock.advance(hourMs + 10_000)
  expect([tries, log.errors]).toEqual([1, []])
  await clock.advance(12 * hourMs)
  expect(tries).toBeGreaterThan(5)
  expect(log.errors).toEqual([expect.stringContaining("its files can't be deleted; the tries go on: EACCES")])
  await service.close()
})

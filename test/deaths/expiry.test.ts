import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type FileStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeFile, manualClock, type ManualClock, quietLog } from '@genmount/testing'

const sweepMs = 5000
interface Place {
  readonly folder: string
  readonly clock: ManualClock
  /** The calls of the service to its stores that are not answered yet. */
  readonly calls: Set<unknown>
}

/** After this time a service has noticed that its clock was set, and believes it again. */
const beliefMs = 60 * 60_000 + 2 * sweepMs

/** The same store, whose calls are in `calls` until they are answered. */
function watched<Store extends object>(store: Store, calls: Set<unknown>): Store {
  const watch = (method: (...args: unknown[]) => unknown) =>
    function call(...args: unknown[]) {
      const answer = method(...args)
      if (!(answer instanceof Promise)) return answer
      calls.add(answer)
      return answer.finally(() => calls.delete(answer))
    }
  const members = Object.entries(store)
  return Object.fromEntries(
    members.map(([name, member]) => [name, typeof member === 'function' ? watch(member) : member]),
  ) as Store
}

/** A service on a clock that only the test moves. It sweeps when the clock is advanced, and not when the clock is set. */
async function startHere({ folder, clock, calls }: Place, change = (files: FileStore) => files) {
  const log = quietLog()
  const backend = sqliteBackend({ file: join(folder, 'jobs.db'), clock })
  const service = createGenerationService({
    providers: [
      {
        name: 'at-once',
        models: [
          {
            id: 'at-once',
            outputKind: 'image',
            input: {
              '~standard': {
                version: 1,
                vendor: 'expiry',
                validate: (value) => ({ value: value as object }),
              },
            },
          },
        ],
        submit: async () => ({ state: 'succeeded', outputs: [{ bytes: fakeFile('image').bytes }] }),
        poll: async () => ({ state: 'failed', code: 'provider_lost', message: 'There is no such task.' }),
      },
    ],
    backend: {
      ...backend,
      jobs: watched(backend.jobs, calls),
      processes: watched(backend.processes!, calls),
    },
    files: watched(change(diskFiles({ folder: join(folder, 'files') })), calls),
    clock,
    log,
  })
  const handler = toNodeHandler(service, {
    authenticate: apiKeys({ alice: 'key-of-alice' }),
    linkSecret: 'the one secret of all services of this test',
    baseUrl: 'https://service.example',
  })
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    await service.close()
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function ask(path: string, init: RequestInit = {}) {
    const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
    const place = path.replace('https://service.example', origin)
    return fetch(new URL(place, origin), { ...init, headers, redirect: 'manual' })
  }

  return {
    faults: log.errors,
    start: () => service.start(),
    close: () => service.close(),

    async make(): Promise<{ id: string; expiresAt: number }> {
      const body = JSON.stringify({ model: 'at-once', prompt: 'a fox' })
      const created = await (await ask('/v1/generate', { method: 'POST', body })).json()
      let job = created
      while (job.status !== 'completed') {
        await clock.advance(0)
        job = await (await ask(`/v1/jobs/${created.id}`)).json()
      }
      return { id: job.id, expiresAt: Date.parse(job.expires_at) }
    },

    async linkTo(id: string): Promise<string> {
      return (await ask(`/v1/files/${id}`)).headers.get('location') ?? ''
    },

    /** The statuses of three answers: the job's, its file's, and that of the link to the file. */
    async statuses(id: string, link: string): Promise<readonly number[]> {
      const replies = await Promise.all([`/v1/jobs/${id}`, `/v1/files/${id}`, link].map((path) => ask(path)))
      await Promise.all(replies.map((reply) => reply.bytes()))
      return replies.map(({ status }) => status)
    },
  }
}

function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-expiry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clock = manualClock()
  const database = sqliteBackend({ file: join(folder, 'jobs.db'), clock })
  onTestFinished(() => database.close())
  const isStored = async (id: string) => (await database.jobs.get(id)) !== undefined
  const fileNames = () => (existsSync(join(folder, 'files')) ? readdirSync(join(folder, 'files')) : [])

  const calls = new Set<unknown>()

  /**
   * Advances the clock, and waits for the stores. A clock that went on at once would pass the time limits of the calls, which
   * are 10 seconds.
   */
  async function advance(ms: number): Promise<void> {
    await clock.advance(ms)
    for (; calls.size > 0; await clock.advance(0)) await Promise.allSettled(calls)
  }

  /** Lets services that are running come to this instant with a clock that they believe. */
  async function comeTo(at: number): Promise<void> {
    clock.set(at - beliefMs)
    await advance(beliefMs)
  }

  /** Advances the clock by one sweep at a time until the condition is true, for a quarter of an hour at most. */
  async function sweepUntil(isDone: () => boolean | Promise<boolean>): Promise<void> {
    for (let sweeps = 0; !(await isDone()); sweeps++) {
      expect(sweeps).toBeLessThan(180)
      await advance(sweepMs)
    }
  }
  return { place: { folder, clock, calls }, clock, isStored, fileNames, comeTo, sweepUntil }
}

const there = [200, 302, 200]
const gone = [404, 404, 404]

test('a job, its file and its link answer until the millisecond before they expire, and 404 from then on, before and after the sweep', async () => {
  const { place, clock, isStored, fileNames, comeTo, sweepUntil } = setUp()
  const service = await startHere(place)
  const { id, expiresAt } = await service.make()

  await comeTo(expiresAt - 1)
  const link = await service.linkTo(id)
  expect(await service.statuses(id, link)).toEqual(there)
  clock.set(expiresAt)
  expect(await service.statuses(id, link)).toEqual(gone)
  clock.set(expiresAt + 1)
  expect(await service.statuses(id, link)).toEqual(gone)
  expect([await isStored(id), fileNames().length]).toEqual([true, 1])

  await sweepUntil(async () => !(await isStored(id)))
  expect(fileNames()).toEqual([])
  expect(await service.statuses(id, link)).toEqual(gone)
})

test('a sweep deletes a job and its file after they expire, and not before', async () => {
  const { place, clock, isStored, fileNames, comeTo, sweepUntil } = setUp()
  const service = await startHere(place)
  const { id, expiresAt } = await service.make()
  const link = await service.linkTo(id)
  await comeTo(expiresAt - 1)
  expect([await isStored(id), fileNames().length]).toEqual([true, 1])
  await sweepUntil(async () => !(await isStored(id)))
  expect(fileNames()).toEqual([])
  clock.set(expiresAt - 1)
  expect(await service.statuses(id, link)).toEqual(gone)
})

test('a sweep that cannot delete the file of an expired job keeps the row, so that a later sweep deletes both', async () => {
  const { place, isStored, fileNames, comeTo, sweepUntil } = setUp()
  let isBroken = true
  let tries = 0
  const service = await startHere(place, (files) => ({
    ...files,
    delete: async (key) => (++tries, isBroken ? Promise.reject(new Error('EIO')) : files.delete(key)),
  }))
  const { id, expiresAt } = await service.make()
  const link = await service.linkTo(id)
  await comeTo(expiresAt)
  await sweepUntil(() => tries >= 3)
  // The log says as well that the clock was set ahead.
  expect(service.faults.filter((fault) => fault.startsWith('Job '))).toEqual([
    `Job ${id} (owner alice, model at-once, provider at-once) has expired, but its files can't be deleted; the tries go on: EIO`,
  ])
  expect([await isStored(id), fileNames().length]).toEqual([true, 1])
  expect(await service.statuses(id, link)).toEqual(gone)

  isBroken = false
  await sweepUntil(async () => !(await isStored(id)))
  expect(fileNames()).toEqual([])
})

test('a sweep deletes the row of an expired job whose file is deleted already, as by a server that was killed in between', async () => {
  const { place, isStored, fileNames, comeTo, sweepUntil } = setUp()
  const service = await startHere(place)
  const { id, expiresAt } = await service.make()
  for (const name of fileNames()) rmSync(join(place.folder, 'files', name))
  await comeTo(expiresAt)
  await sweepUntil(async () => !(await isStored(id)))
  expect(service.faults.filter((fault) => fault.startsWith('Job '))).toEqual([])
})

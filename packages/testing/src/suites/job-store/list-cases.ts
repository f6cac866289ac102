import assert from 'node:assert/strict'
import type { Job, JobQuery, JobStore } from '@genmount/core'
import { finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const all: JobQuery = { owner: 'alice', limit: 100, maxLength: 1_000_000 }

/** The cases for a store that lists jobs. A store without `list` passes them, because listing is optional. */
export const listCases: JobStoreCases = {
  'the jobs of an owner are listed by their ids, the last one first, and no other owner’s are': ifListed(
    async (store, list) => {
      for (const id of ['job-2', 'job-10', 'job-3', 'Job-9']) await inserted(store, { id })
      for (const owner of ['Alice', 'alice ', 'mallory']) await inserted(store, { id: `of ${owner}`, owner })
      assert.deepEqual(idsOf(await list(all)), ['job-3', 'job-2', 'job-10', 'Job-9'])
      assert.deepEqual(idsOf(await list({ ...all, owner: 'mallory' })), ['of mallory'])
      assert.deepEqual(await list({ ...all, owner: 'bob' }), [])
    },
  ),

  'a list begins before any id and ends at any id, whether that is a job or not': ifListed(
    async (store, list) => {
      for (const id of ['a', 'b', 'c', 'd', 'f']) await inserted(store, { id })
      const ids = async (query: Partial<JobQuery>) => idsOf(await list({ ...all, ...query }))
      assert.deepEqual(await ids({ limit: 2 }), ['f', 'd'])
      assert.deepEqual(await ids({ limit: 2, before: 'd' }), ['c', 'b'])
      assert.deepEqual(await ids({ before: 'e' }), ['d', 'c', 'b', 'a'])
      assert.deepEqual(await ids({ before: 'a' }), [])
      assert.deepEqual(await ids({ from: 'c' }), ['f', 'd', 'c'])
      assert.deepEqual(await ids({ from: 'bb', before: 'f' }), ['d', 'c'])
      assert.deepEqual(await ids({ from: 'd', before: 'b' }), [])
    },
  ),

  'jobs are listed as they are stored, in every phase and after every write': ifListed(
    async (store, list) => {
      const accepted = await inserted(store, { id: 'c', metadata: { shot: '17', '"quoted"': 'ü\u2028' } })
      const completed = await finished(store, { id: 'b', expiresAt: accepted.createdAt + 1 })
      const failed = await finished(store, { id: 'a', phase: 'failed' })
      assert.deepEqual(await list(all), [accepted, completed, failed].map(withoutTask))
      const running = await replaced(store, accepted, { phase: 'running', attempts: 1 })
      await store.delete('b')
      assert.deepEqual(await list(all), [running, failed].map(withoutTask))
    },
  ),

  'long jobs come in short lists, and the first one comes however long it is': ifListed(
    async (store, list) => {
      const input = { prompt: 'long '.repeat(20_000) }
      for (const id of ['a', 'b', 'c', 'd', 'e']) await inserted(store, { id, shownInput: input, input })
      const ids = async (query: Partial<JobQuery>) => idsOf(await list({ ...all, ...query }))
      assert.deepEqual(await ids({ maxLength: 250_000 }), ['e', 'd'])
      assert.deepEqual(await ids({ maxLength: 350_000, before: 'e' }), ['d', 'c', 'b'])
      assert.deepEqual(await ids({ maxLength: 1 }), ['e'])
      assert.deepEqual((await list({ ...all, maxLength: 1 }))[0]?.shownInput, input)
    },
  ),

  'many jobs are listed completely, in several calls': ifListed(async (store, list) => {
    const ids = Array.from({ length: 700 }, (_, index) => `job-${1000 + index}`)
    const shuffled = ids.map((_, index) => ids[(index * 37) % ids.length]!)
    for (const id of shuffled) await inserted(store, { id })
    for (const id of ids.slice(100, 200)) await store.delete(id)
    const expected = [...ids.slice(0, 100), ...ids.slice(200)].toReversed()
    const listed: string[] = []
    for (let before: string | undefined; ; before = listed.at(-1)) {
      const part = idsOf(await list({ ...all, before }))
      if (part.length === 0) break
      listed.push(...part)
      assert.ok(listed.length <= ids.length, 'jobs are listed again')
    }
    assert.deepEqual(listed, expected)
  }),
}

type List = (query: JobQuery) => Promise<readonly Job[]>

function ifListed(run: (store: JobStore, list: List) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.list) await run(store, async (query) => (await store.list!(query)).map(withoutTask))
  }
}

const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id)

function withoutTask({ input: _task, ...job }: Job): Job {
  return job
}

import assert from 'node:assert/strict'
import type { AllJobsQuery, Job, JobStore } from '@genmount/core'
import { createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

const page = { limit: 100, maxLength: 1_000_000 }
const delivery = { url: 'https://example.test/hook', events: [], attempts: [], nextAttemptAt: createdAt + 9 }
/** Fields that a job no longer has. */
const none = { dueAt: undefined, claim: undefined } as unknown as Partial<Job>
const ended = { ...none, completedAt: createdAt + 5 }
const resumed = { ...none, completedAt: undefined } as unknown as Partial<Job>

/** The cases for a store that operators can look through. A store without the methods passes them, because they are optional. */
export const operatorCases: JobStoreCases = {
  'the jobs of all owners are listed by their ids, the last one first, and come as they are stored': ifListed(
    async (store, list) => {
      const accepted = await inserted(store, { id: 'job-2', owner: 'mallory' })
      const failed = await finished(store, { id: 'job-10', phase: 'failed', handle: 'task' })
      const expired = await finished(store, { id: 'Job-9', owner: '🦊', expiresAt: createdAt + 1 })
      const running = await replaced(store, await inserted(store, { id: 'job-3' }), { phase: 'running' })
      await store.delete((await inserted(store, { id: 'job-4' })).id)
      const jobs = await list(page)
      assert.deepEqual(jobs, [running, accepted, failed, expired].map(withoutTask))
    },
  ),

  'a list of all owners begins before any id, ends at any id, and has no more jobs than asked for': ifListed(
    async (store, list) => {
      for (const id of ['a', 'b', 'c', 'd', 'f']) await inserted(store, { id, owner: `owner of ${id}` })
      const ids = async (query: Partial<AllJobsQuery>) => idsOf(await list({ ...page, ...query }))
      assert.deepEqual(await ids({ limit: 2 }), ['f', 'd'])
      assert.deepEqual(await ids({ limit: 2, before: 'd' }), ['c', 'b'])
      assert.deepEqual(await ids({ before: 'e' }), ['d', 'c', 'b', 'a'])
      assert.deepEqual(await ids({ from: 'bb', before: 'f' }), ['d', 'c'])
      assert.deepEqual(await ids({ state: 'unfinished', from: 'b', before: 'f', limit: 2 }), ['d', 'c'])
      assert.deepEqual(await ids({ state: 'failed' }), [])
    },
  ),

  'jobs are listed by their state, which follows every write': ifListed(async (store, list) => {
    const ids = async (state: AllJobsQuery['state'], more?: object) =>
      idsOf(await list({ ...page, state, ...more }))
    const job = await inserted(store, { id: 'b' })
    await inserted(store, { id: 'c', owner: 'mallory' })
    await finished(store, { id: 'd', phase: 'failed' })
    await finished(store, { id: 'e', owner: 'mallory' })
    assert.deepEqual(await ids('unfinished'), ['c', 'b'])
    assert.deepEqual(await ids('completed'), ['e'])
    const running = await replaced(store, job, { phase: 'running', handle: 'task' })
    assert.deepEqual(await ids('unfinished'), ['c', 'b'])
    const owing = await replaced(store, running, {
      ...ended,
      phase: 'completed',
      webhook: delivery,
      dueAt: createdAt + 9,
    })
    assert.deepEqual(await ids('unfinished'), ['c'])
    assert.deepEqual(await ids('completed'), ['e', 'b'])
    assert.deepEqual(await ids('completed', { before: 'e' }), ['b'])
    assert.deepEqual(await ids('owing'), ['b'])
    await replaced(store, owing, none)
    assert.deepEqual(await ids('owing'), [])
    assert.deepEqual(await ids('completed'), ['e', 'b'])
    assert.deepEqual(await ids('failed'), ['d'])
    const again = await replaced(store, (await store.get('d'))!, { ...resumed, phase: 'running' })
    assert.deepEqual(await ids('failed'), [])
    assert.deepEqual(await ids('unfinished'), ['d', 'c'])
    await replaced(store, again, { ...ended, phase: 'failed' })
    await store.delete('e')
    assert.deepEqual(await ids('failed'), ['d'])
    assert.deepEqual(await ids('completed'), ['b'])
  }),

  'long jobs of all owners come in short lists, and the first one comes however long it is': ifListed(
    async (store, list) => {
      const input = { prompt: 'long '.repeat(20_000) }
      for (const id of ['a', 'b', 'c']) await inserted(store, { id, owner: id, shownInput: input, input })
      for (const state of [undefined, 'unfinished'] as const) {
        const some = { ...page, state, maxLength: 250_000 }
        assert.deepEqual(idsOf(await list(some)), ['c', 'b'])
        assert.deepEqual(idsOf(await list({ ...some, before: 'c' })), ['b', 'a'])
        const [first, ...others] = await list({ ...some, maxLength: 1 })
        assert.deepEqual([first?.id, first?.shownInput, others], ['c', input, []])
      }
    },
  ),

  'a job is found by the id of its task, in every phase, until it is deleted or has another task': ifFound(
    async (store, find) => {
      const job = await inserted(store, { id: 'a' })
      assert.deepEqual(await find('task'), [])
      const running = await replaced(store, job, { phase: 'running', handle: 'task' })
      const other = await inserted(store, { id: 'b', owner: 'mallory' })
      const same = await replaced(store, other, { phase: 'running', handle: { id: 'task', more: 1 } })
      assert.deepEqual(await find('task'), ['a', 'b'])
      assert.equal((await store.findByTaskId('task', 1)).length, 1)
      await replaced(store, running, { ...ended, phase: 'failed' })
      assert.deepEqual(await find('task'), ['a', 'b'])
      const moved = await replaced(store, same, { handle: { id: 'another' } })
      assert.deepEqual(await find('task'), ['a'])
      await replaced(store, moved, { ...ended, phase: 'completed' })
      assert.deepEqual(await find('another'), ['b'])
      await store.delete('a')
      await store.delete('b')
      assert.deepEqual([...(await find('task')), ...(await find('another'))], [])
    },
  ),

  'ids of tasks that look alike are different ids, and only a text is one': ifFound(async (store, find) => {
    const ids = [
      't',
      'T',
      't ',
      '"t"',
      '\\u0074',
      'nul\u0000',
      'nul',
      'lone \ud800',
      'lone \udfff',
      '🦊',
      'null',
      '1',
      '',
    ]
    const handles = [
      ...ids,
      null,
      1,
      true,
      { id: null },
      { id: 1 },
      { id: ['t'] },
      { task: 't' },
      ['t'],
      { id: { id: 't' } },
    ]
    for (const [index, handle] of handles.entries()) {
      const job = await inserted(store, { id: `job-${index}` })
      const running = await replaced(store, job, { phase: 'running', handle })
      if (index % 2 === 0) await replaced(store, running, { ...ended, phase: 'completed' })
    }
    for (const [index, id] of ids.entries())
      assert.deepEqual(await find(id), [`job-${index}`], JSON.stringify(id))
    for (const id of ['task', '[object Object]', '["t"]', '{"task":"t"}', 'true', '%', 'lone \ufffd'])
      assert.deepEqual(await find(id), [], JSON.stringify(id))
  }),
}

type List = (query: AllJobsQuery) => Promise<readonly Job[]>
type Find = (taskId: string) => Promise<readonly string[]>
type Finding = JobStore & Required<Pick<JobStore, 'findByTaskId'>>

function ifListed(run: (store: JobStore, list: List) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.listAll) await run(store, async (query) => (await store.listAll!(query)).map(withoutTask))
  }
}

function ifFound(run: (store: Finding, find: Find) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    const find: Find = async (taskId) => (await store.findByTaskId!(taskId, 10)).toSorted()
    if (store.findByTaskId) await run(store as Finding, find)
  }
}

const idsOf = (jobs: readonly Job[]) => jobs.map(({ id }) => id)

function withoutTask({ input: _task, ...job }: Job): Job {
  return job
}

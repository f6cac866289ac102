import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import { twoBackends } from './two-backends.ts'

const megabyte = 2 ** 20

const largeJob = (id: string, length: number) =>
  exampleJob({ id, input: { image: id.slice(-1).repeat(length) } })

test('a 5 MB task is written to the SQLite file once, although two backends take ten steps of its job', async () => {
  const { jobs, jobsElsewhere, longestWriteOf, step, read } = twoBackends()
  await jobs.insert(largeJob('job-1', 5 * megabyte))
  const longest = await longestWriteOf(async () => {
    for (let attempts = 1; attempts <= 10; attempts++) await step('job-1', { attempts })
    const elsewhere = await read('job-1', jobsElsewhere)
    await jobsElsewhere.replace({ ...elsewhere, revision: 12, attempts: 11 }, 11)
  })
  expect(longest).toBeLessThan(megabyte)
  expect(await read('job-1')).toMatchObject({ revision: 12, attempts: 11 })
})

test('a task is deleted from the SQLite file when its job finishes or is deleted', async () => {
  const { file, jobs, step, read } = twoBackends()
  for (const id of ['finished', 'deleted', 'kept']) await jobs.insert(exampleJob({ id }))
  const { input: _task, ...finished } = await read('finished')
  await jobs.replace({ ...finished, phase: 'completed', revision: 2 }, 1)
  await jobs.delete('deleted')
  await step('kept')
  const database = new DatabaseSync(file)
  expect(database.prepare('SELECT job_id FROM tasks').all()).toEqual([{ job_id: 'kept' }])
  database.close()
})

test('get for another owner returns undefined and does not read the text of the job', async () => {
  const { file, jobs, jobsElsewhere } = twoBackends()
  const job = largeJob('job-1', megabyte)
  await jobs.insert(job)
  expect(await jobsElsewhere.get('job-1', job.owner)).toEqual(job)
  // From here on a read of the job's text fails, because the text is not JSON.
  const database = new DatabaseSync(file)
  database.exec(`UPDATE jobs SET job = '{'; UPDATE tasks SET task = '{'`)
  database.close()
  for (const store of [jobs, jobsElsewhere]) {
    expect(await store.get('job-1', 'somebody-else')).toBeUndefined()
    await expect(store.get('job-1', job.owner)).rejects.toThrow(SyntaxError)
  }
})

test('tasks of 33 MB are read whole and not written again', async () => {
  const { jobs, longestWriteOf, step, read } = twoBackends()
  for (const id of ['a', 'b']) await jobs.insert(largeJob(id, 33 * megabyte))
  const longest = await longestWriteOf(async () => {
    for (const id of ['a', 'b', 'a', 'b']) {
      expect((await read(id)).input?.image === id.repeat(33 * megabyte)).toBe(true)
      await step(id)
    }
  })
  expect(longest).toBeLessThan(megabyte)
})

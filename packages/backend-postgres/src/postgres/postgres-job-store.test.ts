import { exampleJob } from '@genmount/testing'
import { expect, test } from 'vitest'
import { heldClaims } from './held-claims.ts'
import type { JobDatabase } from './job-database.ts'
import { postgresJobStore } from './postgres-job-store.ts'

const row = (id: string) => ({ job: JSON.stringify(exampleJob({ id })), task_part: null, input_part: null })

/** A store on a database that answers with these rows, and the names of the statements that it has sent. */
function storeOn(rowsOf: (name: string, values: readonly any[]) => Promise<Record<string, unknown>[]>) {
  const sent: string[] = []
  const run: JobDatabase['run'] = (name, values) => {
    sent.push(name)
    return rowsOf(name, values)
  }
  return {
    sent,
    store: postgresJobStore({ run } as JobDatabase, 'a-process', heldClaims('a-process'), () => {}),
  }
}

test('reads that begin at the same time are one statement, and each of them returns its own job or none', async () => {
  const { sent, store } = storeOn(async (_, [ids]) =>
    ids.flatMap((id: string, at: number) => (id === 'gen_none' ? [] : [{ n: String(at + 1), ...row(id) }])),
  )
  const read = await Promise.all(['gen_1', 'gen_none', 'gen_2'].map((id) => store.get(id)))
  expect(read.map((job) => job?.id)).toEqual(['gen_1', undefined, 'gen_2'])
  expect(sent).toEqual(['getSeveral'])
})

test('reads of several jobs in one statement all succeed when its connection breaks', async () => {
  const { sent, store } = storeOn(async (name, values) => {
    if (name === 'getSeveral') throw new Error('read ECONNRESET')
    return [row(values[2])]
  })
  const read = await Promise.all(['gen_1', 'gen_2'].map((id) => store.get(id)))
  expect(read.map((job) => job?.id)).toEqual(['gen_1', 'gen_2'])
  expect(sent).toEqual(['getSeveral', 'get', 'get'])
})

test('a row that can’t be read as a job fails only its own read', async () => {
  const { store } = storeOn(async () => [
    { n: 1, ...row('gen_1') },
    { n: 2, ...row('gen_2'), job: '{' },
  ])
  const [good, bad] = await Promise.allSettled([store.get('gen_1'), store.get('gen_2')])
  expect(good).toMatchObject({ status: 'fulfilled', value: { id: 'gen_1' } })
  expect(bad.status).toBe('rejected')
})

test('reads of jobs with long parts that are not in memory get these parts', async () => {
  const { store } = storeOn(async (name, values) => {
    const { shownInput: _, ...rest } = exampleJob({ id: name === 'get' ? values[2] : 'gen_1' })
    const stored = { job: JSON.stringify({ ...rest, input: {} }), task_part: null, input_part: '7' }
    return name === 'get'
      ? [{ ...stored, task: null, input: '{"prompt":"long"}' }]
      : [1, 2].map((n) => ({ n, ...stored }))
  })
  const twice = () => Promise.all(['gen_1', 'gen_1'].map((id) => store.get(id)))
  for (const job of [...(await twice()), ...(await twice())])
    expect(job?.shownInput).toEqual({ prompt: 'long' })
})

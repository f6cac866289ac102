import assert from 'node:assert/strict'
import type { Job, Json, JsonObject } from '@genmount/core'
import { assertStored, createdAt, finished, inserted, replaced, type JobStoreCases } from './stored-job.ts'

/** Texts that are difficult for databases, encodings and collations. */
const awkwardTexts = {
  empty: '',
  emoji: 'a 🦊 in the snow, ❄️',
  quotes: `'; DROP TABLE jobs; -- "\\" \n\r\t`,
  nul: 'before\u0000after',
  loneSurrogates: 'high \ud83e, low \udd8a',
  composed: 'caf\u00e9',
  decomposed: 'cafe\u0301',
  lineSeparators: '\u2028\u2029\u0085',
  byteOrderMark: '\ufeffx',
  number: '007',
  date: '2026-01-01T00:00:00Z',
}

const awkwardNumbers = [
  0,
  -1,
  0.1 + 0.2,
  1e21,
  5e-324,
  Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  123456789.000001,
]

export const recordCases: JobStoreCases = {
  'a job comes back as it went in, with every field': async ({ store }) => {
    const job = await inserted(store, {
      phase: 'running',
      idempotency: { key: 'alice /v1/generate key', fingerprint: 'a1b2' },
      retentionDays: 30,
      startedAt: createdAt + 1,
      checkedAt: createdAt + 2,
      earliestAt: createdAt + 3,
      dueAt: createdAt + 4,
      claim: { until: createdAt + 5 },
      attempts: 6,
      handle: { list: [1, 'two', null, true, { deep: [[]] }], empty: {} },
    })
    await assertStored(store, job)
  },

  'a finished job comes back with its outputs, its cost and its error': async ({ store }) => {
    const outputs = [
      { fileKey: 'job-1/0', contentType: 'image/png', revisedPrompt: 'a red “fox”' },
      { url: 'https://cdn.test/1.png' },
      { url: 'https://cdn.test/2.png', contentType: 'image/webp' },
    ]
    const tokens = { input: 12, imageInput: 2, output: 100, textOutput: 0 }
    const made = { outputs, costUsd: 0.1 + 0.2, inferenceMs: 12_345, tokens }
    await assertStored(store, await finished(store, { id: 'good', ...made }))
    const error = { code: 'content_policy', message: 'No “foxes”.', detail: 'HTTP 400: foxes' } as const
    await assertStored(store, await finished(store, { id: 'bad', phase: 'failed', error }))
  },

  'a field that is absent stays absent, and one that a write leaves out is gone': async ({ store }) => {
    const job = await inserted(store)
    const { input: _task, dueAt: _dueAt, ...rest } = await replaced(store, job, { handle: 'h' })
    const next: Job = { ...rest, phase: 'completed', revision: rest.revision + 1 }
    assert.equal(await store.replace(next, rest.revision), 'replaced')
    await assertStored(store, next)
    assert.deepEqual(Object.keys((await store.get(job.id)) ?? {}).toSorted(), Object.keys(next).toSorted())
  },

  'falsy handles are kept apart from no handle': async ({ store }) => {
    const handles: Json[] = [null, false, 0, '', [], {}]
    for (const [index, handle] of handles.entries()) {
      await assertStored(store, await inserted(store, { id: `job-${index}`, handle }))
    }
  },

  'text of any kind is kept as it is': async ({ store }) => {
    await assertStored(
      store,
      await inserted(store, { input: awkwardTexts, shownInput: awkwardTexts, handle: awkwardTexts }),
    )
    const keys = Object.fromEntries(Object.values(awkwardTexts).map((text, index) => [text, index]))
    await assertStored(store, await inserted(store, { id: 'job-2', input: keys }))
  },

  'numbers are kept exactly': async ({ store }) => {
    await assertStored(store, await inserted(store, { input: { awkwardNumbers }, handle: awkwardNumbers }))
    for (const [index, costUsd] of [0.1 + 0.2, 1e-7, 123456.789].entries()) {
      await assertStored(store, await finished(store, { id: `paid-${index}`, costUsd }))
    }
  },

  'a deep and a large task are kept whole': async ({ store }) => {
    let deep: Json = 'bottom'
    for (let level = 0; level < 100; level++) deep = level % 2 ? [deep] : { deep }
    await assertStored(store, await inserted(store, { id: 'deep', input: { deep } }))
    const image = `data:image/png;base64,${'A'.repeat(2 ** 20)}`
    await assertStored(store, await inserted(store, { id: 'large', input: { image } }))
  },

  'task and input stay as they were inserted, through all writes until the job has finished': async ({
    store,
  }) => {
    for (const length of [1, 3_000, 30_000]) {
      const [task, input] = [longText('task', length), longText('input', length)]
      let job = await inserted(store, { id: `job of ${length}`, input: task, shownInput: input })
      for (const phase of ['submitting', 'running', 'collecting'] as const) {
        const read = await store.get(job.id)
        assert.ok(read)
        job = await replaced(store, read, { phase, attempts: job.attempts + 1 })
        await assertStored(store, job)
      }
      const { input: _removed, ...shown } = job
      await assertStored(
        store,
        await replaced(store, job, { phase: 'completed', completedAt: createdAt + 1 }),
      )
      assert.deepEqual((await store.get(job.id))?.shownInput, shown.shownInput)
    }
  },

  'a job that has failed and may go on keeps its task, and one that can not loses it': async ({ store }) => {
    const error = { code: 'submit_ambiguous', message: 'No answer.' } as const
    const end = { phase: 'failed', completedAt: createdAt + 1 } as const
    for (const length of [1, 3_000, 30_000]) {
      const job = await inserted(store, { id: `job of ${length}`, input: longText('task', length) })
      const failed = await replaced(store, job, { ...end, error })
      assert.ok(failed.input)
      await assertStored(store, failed)
      const open = await replaced(store, failed, { phase: 'submitting' })
      await assertStored(store, open)
      const lost = await replaced(store, open, { ...end, error: { ...error, code: 'provider_failed' } })
      assert.equal(lost.input, undefined)
      await assertStored(store, lost)
    }
  },

  'the write that marks a job as deleted removes its input': async ({ store }) => {
    for (const length of [1, 3_000, 30_000]) {
      const job = await finished(store, { id: `job of ${length}`, shownInput: longText('input', length) })
      await assertStored(store, await replaced(store, job, { shownInput: {}, deletedAt: createdAt + 2 }))
    }
  },

  'a read for which the caller has the inputs of the job gives the whole job': async ({ store }) => {
    for (const length of [1, 3_000, 30_000]) {
      const [task, input] = [longText('task', length), longText('input', length)]
      const job = await inserted(store, { id: `job of ${length}`, input: task, shownInput: input })
      assert.deepEqual(await store.get(job.id, job.owner, { input: task, shownInput: input }), job)
      assert.deepEqual(await store.get(job.id, undefined, { shownInput: input }), job)
      const completed = await replaced(store, job, { phase: 'completed', completedAt: createdAt + 1 })
      assert.deepEqual(await store.get(job.id, undefined, { input: task, shownInput: input }), completed)
    }
  },

  'jobs that share a task each keep it': async ({ store }) => {
    const task = longText('task', 30_000)
    const first = await inserted(store, { id: 'first', input: task, shownInput: task })
    const second = await inserted(store, { id: 'second', input: task, shownInput: task })
    const stepped = await replaced(store, first, { attempts: 1 })
    await assertStored(store, stepped)
    await assertStored(store, await replaced(store, stepped, { phase: 'completed' }))
    await assertStored(store, second)
    await store.delete('first')
    await assertStored(store, await replaced(store, second, { attempts: 1 }))
  },

  'a job that takes a deleted one’s id has its own task': async ({ store }) => {
    await inserted(store, { input: { prompt: 'a fox' } })
    await store.delete('job-1')
    await assertStored(store, await inserted(store, { input: { prompt: 'a hare' } }))
  },

  'names of object internals are names like any other': async ({ store }) => {
    for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(await store.get(id), undefined)
      await assertStored(store, await inserted(store, { id }))
    }
  },

  'an id that nobody has is undefined': async ({ store }) => {
    await inserted(store)
    for (const id of ['job-2', 'job', '', 'job-1 ', 'JOB-1', '%', "job-1' OR '1'='1"]) {
      assert.equal(await store.get(id), undefined, `get(${JSON.stringify(id)})`)
    }
  },

  'ids that look alike are different jobs': async ({ store }) => {
    const ids = ['a', 'A', 'a ', ' a', 'caf\u00e9', 'cafe\u0301', '1', '01', '1.0']
    for (const id of ids) await inserted(store, { id, owner: `owner of ${id}` })
    for (const id of ids) assert.equal((await store.get(id))?.owner, `owner of ${id}`)
  },

  'changing a job that went in or came out does not change the stored one': async ({ store }) => {
    const task = { prompt: 'a fox', list: [1, 2] }
    const idempotency = { key: 'key', fingerprint: 'f' }
    const unfinished = await inserted(store, { id: 'unfinished', input: task })
    const unspoilt = structuredClone(unfinished)
    const job = await finished(store, { idempotency })
    const original = structuredClone(job)
    for (const part of [task.list, task]) spoil(part)
    await assertStored(store, unspoilt)
    const duplicate = await store.insert({ ...original, id: 'job-2', createdAt: createdAt + 1 })
    const copies = [
      job,
      await store.get(job.id),
      duplicate.outcome === 'duplicate' ? duplicate.job : undefined,
      ...(await store.expired(job.expiresAt, 1)),
    ]
    for (const copy of copies) {
      assert.ok(copy)
      const { shownInput, outputs } = copy
      for (const part of [shownInput, outputs[0], outputs, copy.idempotency, copy]) spoil(part)
      await assertStored(store, original)
    }
    const read = await store.get(unfinished.id)
    for (const part of [read?.input?.list, read?.input, read]) spoil(part)
    await assertStored(store, unspoilt)
  },

  'a deleted job is gone, and deleting it again or an unknown one does nothing': async ({ store }) => {
    const job = await inserted(store)
    const other = await inserted(store, { id: 'job-2' })
    await store.delete(job.id)
    await store.delete(job.id)
    await store.delete('unknown')
    assert.equal(await store.get(job.id), undefined)
    await assertStored(store, other)
  },

  'a hundred jobs that come at the same time are all kept': async ({ store }) => {
    const ids = Array.from({ length: 100 }, (_, index) => `job-${index}`)
    const jobs = await Promise.all(ids.map((id) => inserted(store, { id })))
    for (const job of jobs) await assertStored(store, job)
  },
}

/** An input with a text of this many characters. Stores may keep long inputs in a place of their own. */
function longText(name: string, length: number): JsonObject {
  return { prompt: name.padEnd(length, '.') }
}

/** Overwrites everything in a value that can be changed. A frozen value stays as it is. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const name of Object.keys(value)) Reflect.set(value, name, 'spoilt')
  Reflect.set(value, 'extra', 'spoilt')
}

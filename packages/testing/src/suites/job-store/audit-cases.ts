import assert from 'node:assert/strict'
import type { AuditEntry, JobStore } from '@genmount/core'
import { createdAt, finished, type JobStoreCases } from './stored-job.ts'

/** The cases for a store that keeps an audit log. A store without one passes them, because it is optional. */
export const auditCases: JobStoreCases = {
  'an entry of the audit log comes back as it was written, whatever its texts are': ifKept(async (store) => {
    const entry = entryOf({
      why: 'nul \u0000, lone \ud800, 🦊 and "quotes"',
      by: '',
      outcome: '\u2028',
      owner: 'Bürö',
    })
    await store.audit(entry)
    const least = entryOf({ id: 'b', job: undefined })
    const { job: _none, ...expected } = least
    await store.audit(least)
    assert.deepEqual(withoutAbsent(await store.auditEntries({ limit: 10 })), [expected, entry])
    assert.deepEqual(await store.auditEntries({ job: 'job-1', limit: 10 }), [entry])
  }),

  'the audit log is read from the latest entry on, in pages, of one job and of all': ifKept(async (store) => {
    const [late, c, b, a] = [
      entryOf({ id: 'a-late', at: createdAt + 9 }),
      entryOf({ id: 'c', job: 'job-2' }),
      entryOf({ id: 'b' }),
      entryOf({ id: 'a' }),
    ] as const
    const early = entryOf({ id: 'z-early', at: createdAt - 1 })
    for (const entry of [b, late, a, early, c]) await store.audit(entry)
    assert.deepEqual(await store.auditEntries({ limit: 10 }), [late, c, b, a, early])
    assert.deepEqual(await store.auditEntries({ limit: 2 }), [late, c])
    assert.deepEqual(await store.auditEntries({ after: c, limit: 2 }), [b, a])
    assert.deepEqual(await store.auditEntries({ after: { id: 'none', at: createdAt }, limit: 10 }), [
      c,
      b,
      a,
      early,
    ])
    assert.deepEqual(await store.auditEntries({ job: 'job-1', after: late, limit: 2 }), [b, a])
    assert.deepEqual(await store.auditEntries({ job: 'job-2', limit: 10 }), [c])
    assert.deepEqual(await store.auditEntries({ job: 'job', limit: 10 }), [])
  }),

  'an entry that is written again takes the place of the first one': ifKept(async (store) => {
    const entry = entryOf({})
    for (const each of [entry, entryOf({ id: 'b' }), { ...entry, outcome: 'gen_2', at: createdAt + 5 }])
      await store.audit(each)
    const expected = [{ ...entry, outcome: 'gen_2', at: createdAt + 5 }, entryOf({ id: 'b' })]
    assert.deepEqual(await store.auditEntries({ limit: 10 }), expected)
    assert.deepEqual(await store.auditEntries({ job: 'job-1', limit: 10 }), expected)
  }),

  'the audit log outlives the jobs': ifKept(async (store) => {
    await finished(store, { id: 'job-1' })
    await store.audit(entryOf({}))
    await store.delete('job-1')
    assert.deepEqual(await store.auditEntries({ job: 'job-1', limit: 10 }), [entryOf({})])
  }),

  'changing an entry that went in or came out does not change the stored one': ifKept(async (store) => {
    const entry = { ...entryOf({}) }
    await store.audit(entry)
    const change = (each: AuditEntry | undefined) => {
      try {
        Object.assign(each ?? {}, { why: 'another reason' })
      } catch {
        // A frozen entry can't be changed.
      }
    }
    change(entry)
    change((await store.auditEntries({ limit: 1 }))[0])
    assert.deepEqual(await store.auditEntries({ limit: 1 }), [entryOf({})])
  }),
}

function entryOf(more: Partial<AuditEntry>): AuditEntry {
  return {
    id: 'a',
    at: createdAt,
    by: 'maria',
    action: 'retry',
    why: 'the vendor was down',
    job: 'job-1',
    ...more,
  }
}

/** The entries without fields that are `undefined`. */
function withoutAbsent(entries: readonly AuditEntry[]): unknown {
  return entries.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)),
  )
}

type Auditing = JobStore & Required<Pick<JobStore, 'audit' | 'auditEntries'>>

function ifKept(run: (store: Auditing) => Promise<void>): JobStoreCases[string] {
  return async ({ store }) => {
    if (store.audit && store.auditEntries) await run(store as Auditing)
  }
}

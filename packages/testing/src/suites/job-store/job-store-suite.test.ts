import { describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { deletionOf, isFinished, parse, referenceStore } from './reference-store.ts'
import { casesThatCatch, type StoreFault } from './store-fault.ts'

test('a store that keeps the contract passes every case', async () => {
  const suite = jobStoreSuite(() => ({ store: referenceStore() }), {
    createWithRoomFor: (jobs) => ({ store: referenceStore(new Map(), jobs) }),
  })
  expect(await failingCases(suite)).toEqual([])
})

const faults: Record<string, StoreFault> = {
  'ignores the revision that a write names': {
    damage: (_store, records) => ({
      async replace(job) {
        if (!records.has(job.id)) return 'stale'
        records.set(job.id, JSON.stringify(job))
        return 'replaced'
      },
    }),
    fails: [
      'a write with an instant that is no safe integer is refused, and changes nothing',
      'a write that names an older or a newer revision is stale and writes nothing',
      'a write is stale once another has replaced the revision it names',
      'of fifty writes over one revision at the same time, one wins',
      'a write to a finished job that names an old revision changes nothing',
    ],
  },
  'checks the revision and writes a moment later': {
    damage: (store, records) => ({
      async replace(job, expectedRevision) {
        if ((await store.get(job.id))?.revision !== expectedRevision) return 'stale'
        records.set(job.id, JSON.stringify(job))
        return 'replaced'
      },
    }),
    fails: [
      'a write with an instant that is no safe integer is refused, and changes nothing',
      'of fifty writes over one revision at the same time, one wins',
    ],
  },
  'brings deleted jobs back': {
    damage: (store, records) => ({
      async replace(job, expectedRevision) {
        if (records.has(job.id)) return store.replace(job, expectedRevision)
        records.set(job.id, JSON.stringify(job))
        return 'replaced'
      },
    }),
    fails: ['a write to a job that is not there or was deleted is stale and does not bring it back'],
  },
  'takes finished for final': {
    damage: (store) => ({
      async replace(job, expectedRevision) {
        const stored = await store.get(job.id)
        if (stored && isFinished(stored) && !isFinished(job)) return 'stale'
        return store.replace(job, expectedRevision)
      },
    }),
    fails: [
      'a job that has failed and may go on keeps its task, and one that can not loses it',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
    ],
  },
  'lets go of the key of a finished job that gets a step again': {
    damage: (store) => {
      const mended = new Set<string>()
      return {
        async replace(job, expectedRevision) {
          const stored = await store.get(job.id)
          if (stored && isFinished(stored) && !isFinished(job)) mended.add(job.id)
          return store.replace(job, expectedRevision)
        },
        async findByIdempotencyKey(key, now) {
          const holder = await store.findByIdempotencyKey(key, now)
          return holder && mended.has(holder.id) ? undefined : holder
        },
      }
    },
    fails: [
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
    ],
  },
  'evicts the oldest job, processing or not': {
    damage: (store, records) => ({
      async insert(job) {
        if (records.size >= 150) records.delete(records.keys().next().value ?? '')
        return store.insert(job)
      },
    }),
    fails: ['a processing job outlives a flood of finished ones'],
  },
  'keeps an idempotency key for ever': {
    damage: (store, records) => {
      const holders = new Map<string, string>()
      return {
        async insert(job) {
          const key = job.idempotency?.key
          const holder = key === undefined ? undefined : parse(records.get(holders.get(key) ?? '') ?? 'null')
          if (holder) return { outcome: 'duplicate', job: holder }
          if (key !== undefined) holders.set(key, job.id)
          records.set(job.id, JSON.stringify(job))
          return { outcome: 'inserted' }
        },
        findByIdempotencyKey: (key) => store.get(holders.get(key) ?? ''),
      }
    },
    fails: [
      'a new job with an instant that is no safe integer is refused, and nothing is stored',
      'looking a key up finds nothing where it is unknown, expired or deleted',
      'a key is free again once its holder has expired, and not a moment before',
      'deleting a job that has lost its key to another leaves the key with the other',
    ],
  },
  'looks a key up and stores a moment later': {
    damage: (store, records) => ({
      async insert(job) {
        const holder =
          job.idempotency && (await store.findByIdempotencyKey(job.idempotency.key, job.createdAt))
        if (holder) return { outcome: 'duplicate', job: holder }
        records.set(job.id, JSON.stringify(job))
        return { outcome: 'inserted' }
      },
    }),
    fails: [
      'a new job with an instant that is no safe integer is refused, and nothing is stored',
      'of fifty jobs with one key at the same time, one is stored and given to the others',
    ],
  },
  'keeps a job whose key was refused': {
    damage: (store, records) => ({
      async insert(job) {
        const outcome = await store.insert(job)
        if (outcome.outcome === 'duplicate') {
          const { idempotency: _refused, ...rest } = job
          records.set(job.id, JSON.stringify(rest))
        }
        return outcome
      },
    }),
    fails: [
      'a key that a job holds is refused with that job, and nothing of the other is kept',
      'of fifty jobs with one key at the same time, one is stored and given to the others',
    ],
  },
  'compares keys without regard to case': {
    damage: (store) => ({
      async insert(job) {
        const { key = undefined } = job.idempotency ?? {}
        const holder =
          key === undefined
            ? undefined
            : ((await store.findByIdempotencyKey(key.toLowerCase(), job.createdAt)) ??
              (await store.findByIdempotencyKey(key, job.createdAt)))
        return holder ? { outcome: 'duplicate', job: holder } : store.insert(job)
      },
    }),
    fails: ['keys that look alike are different keys'],
  },
  'finds expired holders of a key': {
    damage: (store) => ({ findByIdempotencyKey: (key) => store.findByIdempotencyKey(key, 0) }),
    fails: ['looking a key up finds nothing where it is unknown, expired or deleted'],
  },
  'replaces lone surrogates, as UTF-8 does': {
    damage: (store) => ({
      insert: (job) =>
        store.insert(
          JSON.parse(
            JSON.stringify(job, (_name, value: unknown) =>
              typeof value === 'string' ? value.toWellFormed() : value,
            ),
          ) as Job,
        ),
    }),
    fails: ['text of any kind is kept as it is'],
  },
  'cuts text off at 64 kB': {
    damage: (store) => ({
      insert: (job) =>
        store.insert(
          JSON.parse(
            JSON.stringify(job, (_name, value: unknown) =>
              typeof value === 'string' ? value.slice(0, 2 ** 16) : value,
            ),
          ) as Job,
        ),
    }),
    fails: ['a deep and a large task are kept whole'],
  },
  'fills one absent field with null, as a table does': {
    damage: (store) => ({
      async get(id) {
        const job = await store.get(id)
        return job && ({ input: null, ...job } as unknown as Job)
      },
    }),
    fails: [
      'a finished job comes back with its outputs, its cost and its error',
      'a field that is absent stays absent, and one that a write leaves out is gone',
      'numbers are kept exactly',
      'task and input stay as they were inserted, through all writes until the job has finished',
      'a job that has failed and may go on keeps its task, and one that can not loses it',
      'the write that marks a job as deleted removes its input',
      'a read for which the caller has the inputs of the job gives the whole job',
      'jobs that share a task each keep it',
      'changing a job that went in or came out does not change the stored one',
      'a write that names the stored revision is stored',
      'a write to a finished job that names an old revision changes nothing',
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'a finished job with a step left is due until that is taken',
      'a job that has expired is still there until it is deleted',
    ],
  },
  'hands out the job that it keeps': {
    damage: (store) => {
      const live = new Map<string, { job: Job; was: string }>()
      return {
        async get(id) {
          const job = await store.get(id)
          if (!job) return undefined
          const was = JSON.stringify(job)
          if (live.get(id)?.was !== was) live.set(id, { job, was })
          return live.get(id)?.job
        },
      }
    },
    fails: ['changing a job that went in or came out does not change the stored one'],
  },
  'hands out claimed jobs': {
    damage: (_store, records) => ({
      due: (now, limit, skip) => {
        const unclaimed = [...records].map(([id, record]) => [
          id,
          JSON.stringify({ ...parse(record), claim: { until: 0 } }),
        ])
        return referenceStore(new Map(unclaimed as [string, string][])).due(now, limit, skip)
      },
    }),
    fails: [
      'a job that somebody has claimed is not due before the claim has run out',
      'claimed jobs take up none of the limit',
      'what is due follows every write',
      'a claim that lies further ahead than any pause has run out',
    ],
  },
  'never hands out a job that was ever claimed': {
    damage: (store) => ({
      async due(now, limit, skip = 0) {
        const jobs = await Promise.all((await store.due(now, 1_000)).map((id) => store.get(id)))
        const never = jobs.flatMap((job) => (job && job.claim?.until === undefined ? [job.id] : []))
        return never.slice(skip, skip + limit)
      },
    }),
    fails: [
      'a job that somebody has claimed is not due before the claim has run out',
      'a claim that lies further ahead than any pause has run out',
      'every unfinished phase can be due',
    ],
  },
  'cuts to the limit before it sorts': {
    damage: (store, records) => ({
      async due(now, limit) {
        const all = await store.due(now, 1_000)
        const first = [...records.keys()].filter((id) => all.includes(id)).slice(0, limit)
        return all.filter((id) => first.includes(id))
      },
    }),
    fails: ['no more than the limit are due, and they are the longest due'],
  },
  'expires processing jobs': {
    damage: (_store, records) => ({
      expired: async (now, limit) =>
        [...records.values()]
          .map(parse)
          .filter((job) => deletionOf(job) <= now)
          .slice(0, limit),
    }),
    fails: [
      'a finished job that gets a step again is due, is no longer expired, and keeps its idempotency key',
      'a processing job never expires',
    ],
  },
  'takes ids for numbers where they look like some': {
    damage: (store) => {
      const numeric = (id: string) => (Number(id) > 0 ? String(Number(id)) : id)
      return {
        get: (id) => store.get(numeric(id)),
        insert: (job) => store.insert({ ...job, id: numeric(job.id) }),
      }
    },
    fails: ['ids that look alike are different jobs'],
  },
}

describe('a broken store fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, fault) => {
    expect(await casesThatCatch(fault)).toEqual(fault.fails)
  })
})

import { describe, expect, test } from 'vitest'
import type { Job, JobStore, UploadNote } from '@genmount/core'
import { jobStoreSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'
import { isFinished, parse, type Records, referenceStore } from './reference-store.ts'

type Methods = Required<Pick<JobStore, 'insert' | 'unfinished' | 'storedBytes' | 'noteUpload'>>

const bytesOf = ({ outputs }: Job) => outputs.reduce((sum, { bytes = 0 }) => sum + bytes, 0)

const whole = (records: Records): Methods => {
  const of = (owner: string) => [...records.values()].map(parse).filter((job) => job.owner === owner)
  const notes = new Map<string, UploadNote>()
  return {
    unfinished: async (owner, limit) =>
      of(owner)
        .filter((job) => !isFinished(job))
        .slice(0, limit)
        .map(({ id }) => id),
    storedBytes: async (owner, now) =>
      [
        ...of(owner).map((job) => ({ ...job, bytes: bytesOf(job) })),
        ...[...notes.values()].filter((note) => note.owner === owner),
      ]
        .filter(({ expiresAt }) => expiresAt > now)
        .reduce((sum, { bytes }) => sum + bytes, 0),
    noteUpload: async (note) => void notes.set(note.key, note),
    async insert(job, maxUnfinished = Infinity) {
      const running = of(job.owner).filter((other) => !isFinished(other))
      const key = job.idempotency?.key
      const isRepeated =
        key !== undefined && [...records.values()].some((text) => parse(text).idempotency?.key === key)
      if (!isRepeated && running.length >= maxUnfinished) return { outcome: 'over_limit' }
      return referenceStore(records).insert(job)
    },
  }
}

/** The reference store with the methods for limits, some of them broken. */
function storeWith(broken: (records: Records, methods: Methods) => Partial<JobStore> = () => ({})): JobStore {
  const records: Records = new Map()
  const methods = whole(records)
  return { ...referenceStore(records), ...methods, ...broken(records, methods) }
}

const phases = 'the unfinished jobs of an owner are those in every phase before the end, and no other owner’s'
const again = 'a job is unfinished from its insert until it ends, and again if it goes on'
const limit = 'no more unfinished jobs are named than were asked for'
const allowed = 'an insert of an owner who has as many unfinished jobs as allowed stores nothing'
const atOnce = 'inserts at the same time never pass the limit of their owner together'
const sums = 'stored bytes are those of all outputs of an owner, and no other owner’s'
const latest = 'stored bytes are those of the latest write'
const free = 'the bytes of a job that has expired or was deleted are free'

const uploads =
  'uploads count among the stored bytes of their owner until they expire, each as it was noted last'

const ids = (records: Records, isCounted: (job: Job) => boolean) =>
  [...records.values()]
    .map(parse)
    .filter(isCounted)
    .map(({ id }) => id)

const faults: Record<string, { broken: Parameters<typeof storeWith>[0]; fails: readonly string[] }> = {
  'counts everybody’s unfinished jobs': {
    broken: (records) => ({
      unfinished: async (_owner, most) => ids(records, (job) => !isFinished(job)).slice(0, most),
    }),
    fails: [phases],
  },
  'counts whatever has a step left': {
    broken: (records) => ({
      unfinished: async (owner, most) =>
        ids(records, (job) => job.owner === owner && job.dueAt !== undefined).slice(0, most),
    }),
    fails: [phases],
  },
  'forgets jobs with a claim': {
    broken: (records) => ({
      unfinished: async (owner, most) =>
        ids(
          records,
          (job) => job.owner === owner && !isFinished(job) && job.claim?.until === undefined,
        ).slice(0, most),
    }),
    fails: [phases],
  },
  'never counts a job again that has ended': {
    broken: (records) => {
      const ended = new Set<string>()
      const { replace } = referenceStore(records)
      return {
        async replace(job, revision) {
          if (isFinished(job)) ended.add(job.id)
          return replace(job, revision)
        },
        unfinished: async (owner, most) =>
          ids(records, (job) => job.owner === owner && !isFinished(job) && !ended.has(job.id)).slice(0, most),
      }
    },
    fails: [again],
  },
  'ignores the limit': {
    broken: (_records, { unfinished }) => ({ unfinished: (owner) => unfinished(owner, 1000) }),
    fails: [limit],
  },
  'inserts whatever the owner has': {
    broken: (records) => ({ insert: (job) => referenceStore(records).insert(job) }),
    fails: [allowed, atOnce],
  },
  'counts before it inserts': {
    broken: (_records, { unfinished, insert }) => ({
      async insert(job, maxUnfinished = Infinity) {
        const isRepeated = job.id === 'third'
        const isFull = (await unfinished(job.owner, maxUnfinished)).length >= maxUnfinished
        return isFull && !isRepeated ? { outcome: 'over_limit' } : insert(job)
      },
    }),
    fails: [atOnce],
  },
  'refuses a repeated request': {
    broken: (_records, { unfinished, insert }) => ({
      async insert(job, maxUnfinished = Infinity) {
        const isFull = (await unfinished(job.owner, maxUnfinished)).length >= maxUnfinished
        return isFull ? { outcome: 'over_limit' } : insert(job, maxUnfinished)
      },
    }),
    fails: [allowed],
  },
  'takes owners that differ in case for one': {
    broken: (_records, { storedBytes, unfinished }) => ({
      unfinished: async (owner, most) =>
        owner === 'alice'
          ? [...(await unfinished(owner, most)), ...(await unfinished('Alice', most))].slice(0, most)
          : unfinished(owner, most),
      storedBytes: async (owner, now) =>
        owner === 'alice'
          ? (await storedBytes(owner, now)) + (await storedBytes('Alice', now))
          : storedBytes(owner, now),
    }),
    fails: [phases, sums, uploads],
  },
  'has no room for large sums': {
    broken: (_records, { storedBytes }) => ({
      storedBytes: async (owner, now) => (await storedBytes(owner, now)) | 0,
    }),
    fails: [sums, uploads],
  },
  'counts the bytes that a job had when it ended': {
    broken: (records) => {
      const bytes = new Map<string, number>()
      const { replace } = referenceStore(records)
      return {
        async replace(job, revision) {
          const outcome = await replace(job, revision)
          if (outcome === 'replaced' && !bytes.has(job.id)) bytes.set(job.id, bytesOf(job))
          return outcome
        },
        storedBytes: async (owner, now) =>
          [...records.values()]
            .map(parse)
            .filter((job) => job.owner === owner && job.expiresAt > now)
            .reduce((sum, { id }) => sum + (bytes.get(id) ?? 0), 0),
      }
    },
    fails: [latest, uploads],
  },
  'adds up the bytes of all writes': {
    broken: (records) => {
      let sum = 0
      const { replace } = referenceStore(records)
      return {
        async replace(job, revision) {
          sum += bytesOf(job)
          return replace(job, revision)
        },
        storedBytes: async () => sum,
      }
    },
    fails: [sums, latest, free, uploads],
  },
  'counts expired jobs until they are swept': {
    broken: (_records, { storedBytes }) => ({ storedBytes: (owner) => storedBytes(owner, -1) }),
    fails: [free, uploads],
  },
  'counts the instant of expiry as part of the life': {
    broken: (_records, { storedBytes }) => ({ storedBytes: (owner, now) => storedBytes(owner, now - 1) }),
    fails: [free, uploads],
  },
  'adds a second note to the first': {
    broken: (_records, { noteUpload }) => {
      let count = 0
      return { noteUpload: (note) => noteUpload({ ...note, key: `${note.key} ${count++}` }) }
    },
    fails: [uploads],
  },
  'ignores a note of no bytes': {
    broken: (_records, { noteUpload }) => ({
      noteUpload: async (note) => (note.bytes > 0 ? noteUpload(note) : undefined),
    }),
    fails: [uploads],
  },
}

test('a store for limits that keeps the contract passes every case', async () => {
  expect(await failingCases(jobStoreSuite(() => ({ store: storeWith() })))).toEqual([])
})

describe('a store for limits that is broken fails exactly the cases that name its fault: it', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { broken, fails }) => {
    expect(await failingCases(jobStoreSuite(() => ({ store: storeWith(broken) })))).toEqual(fails)
  })
})

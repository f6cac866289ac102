import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { hasStepLeft, isDue, isFinished } from '../job/job-state.ts'
import { storedBytesOf } from '../ledger/cost-entry-of.ts'
import { sizeOf } from './job-size.ts'
import { memoryJobStore } from './memory-job-store.ts'

const maxJobs = 4
const hourMs = 3_600_000
const start = Date.UTC(2026, 0, 1)
const emptyBytes = sizeOf(exampleJob({ id: 'j0' })).bytes
const maxBytes = 4 * emptyBytes
/** Names of the same length as in the example. */
const ownerOf = (jobId: string) => `own_${jobId.charCodeAt(1) % 2}`
const bytesOf = (job: Job) => sizeOf(job).bytes

const output = { fileKey: 'file', contentType: 'image/png' }
const dueSince = ({ dueAt = 0, claim }: Job) => Math.max(dueAt, claim?.until ?? 0)

const id = fc.nat(5).map((n) => `j${n}`)
const size = fc.nat(Math.floor(maxBytes / 3))
const step = fc.oneof(
  fc.record({
    type: fc.constant('insert' as const),
    id,
    size,
    key: fc.option(fc.nat(2), { nil: undefined }),
    hours: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({
    type: fc.constant('grow' as const),
    id,
    size,
    claimMinutes: fc.option(fc.integer({ min: -90, max: 90 }), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('finish' as const),
    id,
    size: fc.nat(2 * maxBytes),
    hasStepLeft: fc.boolean(),
  }),
  fc.record({ type: fc.constant('mend' as const), id, size }),
  fc.record({ type: fc.constant('put off' as const), id, hours: fc.nat(6) }),
  fc.record({ type: fc.constant('delete' as const), id }),
  fc.record({ type: fc.constant('read' as const), id }),
  fc.record({ type: fc.constant('wait' as const), minutes: fc.nat(180) }),
)

test('the memory job store agrees with a simple model after any sequence of calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const store = memoryJobStore({ maxJobs, maxBytes })
      /** The latest state of each job that was neither deleted nor dropped to make room. */
      const model = new Map<string, Job>()
      const holders = new Map<string, string>()
      const forgotten: Job[] = []
      store.onForgotten?.((job) => forgotten.push(job))
      let now = start

      for (const one of steps) {
        const known = 'id' in one ? model.get(one.id) : undefined
        if (one.type === 'wait') now += one.minutes * 60_000
        if (one.type === 'insert' && !known) {
          const job = exampleJob({
            id: one.id,
            owner: ownerOf(one.id),
            createdAt: now,
            expiresAt: now + one.hours * hourMs,
            dueAt: now,
            shownInput: { text: 'x'.repeat(one.size / 2) },
            ...(one.key !== undefined && { idempotency: { key: `k${one.key}`, fingerprint: one.id } }),
          })
          const pinned = [...model.values()].filter(hasStepLeft)
          const holder = job.idempotency && model.get(holders.get(job.idempotency.key) ?? '')
          const { outcome } = await store.insert(job)
          if (holder && hasStepLeft(holder) && holder.expiresAt > now) expect(outcome).toBe('duplicate')
          if (outcome === 'duplicate') continue
          const pinnedBytes = pinned.reduce((sum, other) => sum + bytesOf(other), 0)
          const ownBytes = pinned
            .filter(({ owner }) => owner === job.owner)
            .reduce((sum, other) => sum + bytesOf(other), 0)
          const freeBytes = maxBytes - pinnedBytes - bytesOf(job)
          const isBeyondShare = ownBytes > 0 && ownBytes + bytesOf(job) > freeBytes
          const isFull = pinned.length >= maxJobs || freeBytes < 0 || isBeyondShare
          expect(outcome).toBe(isFull ? 'full' : 'inserted')
          if (isFull) continue
          model.set(job.id, job)
          if (job.idempotency) holders.set(job.idempotency.key, job.id)
        }
        if ((one.type === 'grow' || one.type === 'finish') && known && hasStepLeft(known)) {
          const { dueAt, ...rest } = known
          const job: Job = {
            ...rest,
            ...(dueAt !== undefined && (one.type === 'grow' || one.hasStepLeft) && { dueAt }),
            revision: known.revision + 1,
            phase: one.type === 'finish' || isFinished(known) ? 'completed' : 'running',
            handle: 'x'.repeat(one.size / 2),
            ...(one.type === 'finish' && { outputs: [{ ...output, bytes: one.size }] }),
            ...(one.type === 'grow' &&
              one.claimMinutes !== undefined && { claim: { until: now + one.claimMinutes * 60_000 } }),
          }
          expect(await store.replace(job, known.revision)).toBe('replaced')
          expect(await store.get(job.id)).toEqual(job)
          model.set(job.id, job)
        }
        if ((one.type === 'mend' || one.type === 'put off') && known && !hasStepLeft(known)) {
          const revised = { ...known, revision: known.revision + 1 }
          const job: Job =
            one.type === 'mend'
              ? { ...revised, phase: 'running', handle: 'x'.repeat(one.size / 2), dueAt: now }
              : { ...revised, deleteAt: now + one.hours * hourMs }
          const isThere = (await store.get(job.id)) !== undefined
          expect(await store.replace(job, known.revision)).toBe(isThere ? 'replaced' : 'stale')
          if (isThere) model.set(job.id, job)
        }
        if (one.type === 'read') await store.get(one.id)
        if (one.type === 'delete') {
          await store.delete(one.id)
          model.delete(one.id)
          freeKeyOf(one.id)
        }
        await check()
      }
      for (const known of model.keys()) await store.delete(known)
      model.clear()
      for (let i = 0; i < 4; i++) {
        const job = exampleJob({
          id: `j${i}`,
          owner: `own_${i}`,
          createdAt: now,
          idempotency: { key: `k${i}`, fingerprint: '' },
          shownInput: {},
        })
        const { outcome } = await store.insert({ ...job, input: {} })
        expect(outcome).toBe('inserted')
      }

      function freeKeyOf(id: string) {
        for (const [key, holder] of holders) if (holder === id) holders.delete(key)
      }

      async function check() {
        const stored = (await Promise.all(Array.from(model.keys(), (known) => store.get(known)))).filter(
          (job) => job !== undefined,
        )
        for (const job of stored) expect(job).toEqual(model.get(job.id))
        const byId = (a: Job, b: Job) => a.id.localeCompare(b.id)
        const gone = [...model.values()].filter(({ id }) => !stored.some((job) => job.id === id))
        expect(forgotten.splice(0).toSorted(byId)).toEqual(gone.toSorted(byId))
        for (const { id } of gone) {
          model.delete(id)
          freeKeyOf(id)
        }
        const pinned = [...model.values()].filter(hasStepLeft)
        expect(stored.filter(hasStepLeft)).toHaveLength(pinned.length)
        expect(stored.length).toBeLessThanOrEqual(maxJobs)
        const resting = stored.filter((job) => !hasStepLeft(job))
        const bytes = stored.reduce((sum, job) => sum + bytesOf(job), 0)
        if (resting.length > 1) expect(bytes).toBeLessThanOrEqual(maxBytes)
        const expired = stored.filter((job) => isFinished(job) && (job.deleteAt ?? job.expiresAt) <= now)
        expect((await store.expired(now, 100)).map((job) => job.id).toSorted()).toEqual(
          expired.map((job) => job.id).toSorted(),
        )
        for (const at of [now, now - 2 * hourMs, now + 2 * hourMs]) {
          const due = stored
            .filter((job) => isDue(job, at))
            .toSorted((a, b) => dueSince(a) - dueSince(b) || byId(a, b))
          const dueIds = due.map((job) => job.id)
          expect(await store.due(at, 100)).toEqual(dueIds)
          expect(await store.due(at, 1, 1)).toEqual(dueIds.slice(1, 2))
        }
        for (const owner of ['own_0', 'own_1']) {
          const own = stored.filter((job) => job.owner === owner).toSorted(byId)
          const unfinished = own.filter((job) => !isFinished(job)).map((job) => job.id)
          expect((await store.unfinished?.(owner, 100))?.toSorted()).toEqual(unfinished)
          for (const at of [now, now + 2 * hourMs])
            expect(await store.storedBytes?.(owner, at)).toBe(
              own.filter((job) => job.expiresAt > at).reduce((sum, job) => sum + storedBytesOf(job), 0),
            )
          const query = { owner, limit: 100, maxLength: Number.POSITIVE_INFINITY }
          expect(await store.list?.(query)).toEqual(own.toReversed())
        }
        for (const [key, holder] of holders) {
          const job = stored.find(
            (other) => other.id === holder && other.idempotency?.key === key && other.expiresAt > now,
          )
          expect(await store.findByIdempotencyKey(key, now)).toEqual(job)
        }
      }
    }),
    { numRuns: 300 },
  )
})

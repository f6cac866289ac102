import { expect, test } from 'vitest'
import { fakeWorld, type ManualClock } from '@genmount/testing'
import { memoryBackend } from '../defaults/memory-backend.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

const passed = (clock: ManualClock, ms: number) =>
  new Promise<void>((resolve) => void clock.after(ms, resolve))

/** A write of each renewal reaches the store, but its answer comes after the service has given the write up. */
const answersRenewalsLate =
  (clock: ManualClock, jobs: JobStore): JobStore['replace'] =>
  async (job, revision) => {
    const stored = await jobs.get(job.id)
    const outcome = await jobs.replace(job, revision)
    const isRenewal = job.claim?.until !== undefined && job.claim.token === stored?.claim?.token
    if (isRenewal && job.phase === stored?.phase) await passed(clock, 30_000)
    return outcome
  }

test('the outcome of a submit is written although the renewal before it, of the same revision, was answered too late', async () => {
  const { clock, jobs, serviceOver } = fakeWorld()
  const { signals, scheduler } = memoryBackend({ clock })
  const service = serviceOver({
    backend: {
      jobs: { ...jobs, replace: answersRenewalsLate(clock, jobs) },
      signals,
      scheduler,
      processes: { id: 'own', hasEnded: async () => false, leftBehind: async () => [] },
      durable: true,
      close: async () => {},
    },
    provider: {
      async submit() {
        await passed(clock, 15_000)
        throw new Error('socket hang up')
      },
    },
  })
  const { job } = await service.create(fox)
  await clock.advance(5 * 60_000)
  expect(await service.get(job.id, 'alice')).toMatchObject({
    phase: 'failed',
    error: { code: 'submit_ambiguous' },
  })
  await service.close()
})

test("a task's new handle is written although the renewal before it, of the same revision, was answered too late", async () => {
  const { clock, jobs, serviceOver } = fakeWorld({ behave: [{ delayMs: 300_000 }] })
  const service = serviceOver({
    jobs: { replace: answersRenewalsLate(clock, jobs) },
    provider: {
      async poll() {
        await passed(clock, 15_000)
        return { state: 'running', handle: { part: 2 } }
      },
    },
  })
  const { job } = await service.create(fox)
  await clock.advance(60_000)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'running', handle: { part: 2 } })
  const closed = service.close()
  await clock.advance(120_000)
  await closed
})

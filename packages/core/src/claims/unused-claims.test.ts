import { expect, test } from 'vitest'
import { exampleJob, fakeWorld } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { nextJob } from '../job/job-machine.ts'
import { unusedClaims } from './unused-claims.ts'

test('the claim of a failed insert is given up also after another process has looked for its task without success', async () => {
  const { jobs, clock } = fakeWorld()
  const now = clock.now()
  const made = exampleJob({ id: 'gen_1', clientToken: 't', createdAt: now })
  const after = (job: Job, event: Parameters<typeof nextJob>[1]) => nextJob(job, event, clock.now()) as Job
  const own = { type: 'claim', until: now + 30_000, token: 'first:1', isInsert: true } as const
  await jobs.insert(after(made, own))
  await clock.advance(30_000)
  let job = (await jobs.get('gen_1')) as Job
  for (const event of [
    { type: 'claim', until: clock.now() + 30_000, token: 'second:1' },
    { type: 'postponed', retryAt: clock.now() + 5000 },
  ] as const) {
    const next = after(job, event)
    await jobs.replace(next, job.revision)
    job = next
  }
  const written: Job[] = []
  const unused = unusedClaims({ ...jobs, wrote() {} }, clock, (given) => written.push(given))
  unused.add('gen_1', 'first:1')
  expect(await unused.givenUp(await jobs.get('gen_1'))).toMatchObject({ phase: 'submitting' })
  await clock.advance(5000)
  expect(await unused.givenUp(await jobs.get('gen_1'))).toMatchObject({ phase: 'accepted' })
  expect(await jobs.get('gen_1')).toMatchObject({ phase: 'accepted' })
  expect(written).toHaveLength(1)
})

import { expect, test } from 'vitest'
import type { Job, ServicePlugin } from '@genmount/core'
import { fakeWorld } from '@genmount/testing'
import { failing, never, pluginOf } from '../test-kit/plugin-of.ts'

const world = (...plugins: ServicePlugin[]) => fakeWorld({ behave: [{ delayMs: 20_000 }] }, { plugins })

test('wrote gets each write after the store has it, with the job before', async () => {
  const writes: {
    readonly revision: number
    readonly before: number | undefined
    readonly stored: unknown
  }[] = []
  const all = world(
    pluginOf('audit', {
      async wrote(job: Job, before: Job | undefined) {
        const { revision } = job
        const stored = await all.jobs.get(job.id)
        writes.push({ revision, before: before?.revision, stored: (stored?.revision ?? 0) >= revision })
      },
    }),
  )
  const { id } = await all.create()
  await all.jobAfter(60_000, id)
  expect(writes.length).toBeGreaterThan(2)
  expect(writes[0]?.before).toBe(undefined)
  for (const [index, { before, stored }] of writes.entries()) {
    expect(stored).toBe(true)
    if (index > 0) expect(before).toBe(writes[index - 1]?.revision)
  }
})

test.each([
  ['throws', failing()],
  ['rejects', async () => failing()()],
])(
  'a plugin that %s at wrote and due is logged with its name and the job, and the others are called',
  async (_how, broken) => {
    const seen: string[] = []
    const all = world(
      pluginOf('broken', { wrote: broken, due: broken }),
      pluginOf('other', { wrote: () => seen.push('wrote'), due: () => seen.push('due') }),
    )
    const { id } = await all.create()
    expect(await all.jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
    expect(new Set(seen)).toEqual(new Set(['wrote', 'due']))
    for (const moment of ['wrote', 'due'])
      expect(all.log.errors).toContainEqual(
        expect.stringContaining(`The plugin broken has failed at ${moment} of Job ${id} (owner alice`),
      )
  },
)

test('a plugin that hangs at wrote and due holds up no job and no close', async () => {
  const all = world(pluginOf('slow', { wrote: never, due: never }))
  const { id } = await all.create()
  expect(await all.jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  expect(await all.service.close()).toEqual({ leftJobs: [], unclosed: [] })
})

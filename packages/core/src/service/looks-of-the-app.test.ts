import { expect, test } from 'vitest'
import { moderation } from '@genmount/core/moderation'
import { fakeWorld } from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

/** Changes a value as an app might that believes it owns the value. A frozen object is as safe as a copy. */
function spoil(given: object): void {
  const { input, outputs } = given as { input: Record<string, unknown>; outputs?: { url?: string }[] }
  Reflect.set(input, 'prompt', 'not what the client has asked for')
  Reflect.set(input, 'unknown', { field: 1 })
  if (!outputs) return
  Reflect.set(outputs[0] ?? {}, 'url', 'https://elsewhere.test/1.png')
  Reflect.set(outputs, 1, { url: 'https://elsewhere.test/2.png' })
}

test('admit and moderate can not change the validated input', async () => {
  const seen: unknown[] = []
  const submitted: unknown[] = []
  const { serviceOver, clock, provider } = fakeWorld()
  const service = serviceOver({
    admit: (admission) => spoil(admission),
    plugins: [moderation({ input: (given) => (seen.push({ ...given.input }), spoil(given), 'allowed') })],
    provider: { submit: (task, call) => (submitted.push(task.input), provider.submit(task, call)) },
  })
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  const { job } = await service.create(request)
  await clock.advance(1000)
  expect(job.shownInput['prompt']).toBe('a fox')
  expect(seen).toEqual([expect.objectContaining({ prompt: 'a fox' })])
  expect(submitted).toEqual([job.shownInput])
  await service.close()
})

test('moderate can not change the outputs of a job', async () => {
  const { service, create, jobAfter, jobs } = fakeWorld(
    { behave: [{ outputs: [{ url: 'https://cdn.test/1.png' }], delayMs: 3000 }] },
    { files: memoryFileStore(), plugins: [moderation({ outputs: (given) => (spoil(given), 'allowed') })] },
  )
  const { id } = await create({ prompt: 'a fox' })
  const job = await jobAfter(10_000, id)
  expect(job).toMatchObject({ phase: 'completed', outputs: [{ url: 'https://cdn.test/1.png' }] })
  expect((await jobs.get(id))?.shownInput['prompt']).toBe('a fox')
  await service.close()
})

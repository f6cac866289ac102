import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaObjects } from './media-objects.ts'

let objects: Awaited<ReturnType<typeof mediaObjects>>

beforeAll(async () => {
  objects = await mediaObjects()
})
afterAll(() => objects?.close())

test('a job whose object is torn down inside its submit goes on by the alarm when its claim has run out, although nobody asks for anything', async () => {
  const models = ['finds', 'dedupes'] as const
  for (const model of models) await objects.create(model, { model, prompt: model, ms: 500, hold: 60_000 })
  await expect.poll(() => objects.vendor.tasks.length).toBe(2)
  await objects.tearDown()
  for (const model of models) {
    const isDone = () => objects.vendor.tasksOf(model)[0]?.saidDoneAt !== undefined
    await expect.poll(isDone, { timeout: 40_000, interval: 500 }).toBe(true)
    await expect.poll(() => objects.phasesOf(model)).toEqual(['completed'])
  }
  expect(objects.vendor.tasks).toHaveLength(2)
})

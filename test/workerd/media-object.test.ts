import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaObjects } from './media-objects.ts'

let objects: Awaited<ReturnType<typeof mediaObjects>>

beforeAll(async () => {
  objects = await mediaObjects()
})
afterAll(() => objects?.close())

test.concurrent('a job in a Durable Object that no client asks for again ends by alarms', async ({
  expect,
}) => {
  const created = await objects.create('alone', { model: 'finds', prompt: 'alone', ms: 2000 })
  expect(created.status).toBe(202)
  await expect
    .poll(() => objects.phasesOf('alone'), { timeout: 20_000, interval: 300 })
    .toEqual(['completed'])
  expect(objects.vendor.tasksOf('alone')).toHaveLength(1)
})

test.concurrent('a client that waits for a job in a Durable Object, or follows its events, hears of its end within 250 ms', async ({
  expect,
}) => {
  const lags: number[] = []
  const ends = async (prompt: string, wait: () => Promise<string>) => {
    expect(await wait()).toContain('"status":"completed"')
    lags.push(Date.now() - (objects.vendor.tasksOf(prompt)[0]?.saidDoneAt ?? 0))
  }
  for (const count of [1, 2, 3]) {
    const job = { model: 'finds', ms: 1000 }
    await ends(`wait ${count}`, async () =>
      (await objects.create('waiting', { ...job, prompt: `wait ${count}` }, '?wait=true')).text(),
    )
    await ends(`events ${count}`, async () => {
      const created = await objects.create('waiting', { ...job, prompt: `events ${count}` })
      const { urls } = (await created.json()) as { urls: { get: string } }
      const { pathname } = new URL(urls.get)
      return (await objects.get('waiting', `${pathname}/events`)).text()
    })
  }
  // A machine that is busy with other tests is late now and then.
  expect(Math.min(lags[0]!, lags[2]!, lags[4]!)).toBeLessThan(250)
  expect(Math.min(lags[1]!, lags[3]!, lags[5]!)).toBeLessThan(250)
})

test('a Durable Object without unfinished jobs sets no alarm, reads no row and has no timer, until its jobs expire', async () => {
  await objects.create('idle', { model: 'finds', prompt: 'idle', ms: 500 }, '?wait=true')
  expect(await objects.phasesOf('idle')).toEqual(['completed'])
  await delay(1500)
  const { calls, alarmAt } = await objects.stateOf('idle')
  await delay(7000)
  const later = await objects.stateOf('idle')
  expect(later).toMatchObject({ calls, timers: 0, alarmAt })
  expect(alarmAt! - Date.now()).toBeGreaterThan(24 * 60 * 60_000)
})

test.each([
  ['finds', 'completed'],
  ['dedupes', 'completed'],
  ['plain', 'failed'],
] as const)(
  'a job whose object is torn down inside its submit to a vendor of the kind "%s" goes on with the next start of the object, is paid for once and is soon %s',
  async (model, end) => {
    const object = `torn-${model}`
    await objects.create(object, { model, prompt: object, ms: 500, hold: 60_000 })
    await expect.poll(() => objects.vendor.tasksOf(object).length).toBe(1)
    expect(await objects.phasesOf(object)).toEqual(['submitting'])
    await objects.tearDown()
    // Another request starts the service. Without one, the job goes on when its claim has run out, by the alarm.
    await objects.get(object, '/v1/jobs')
    await expect.poll(() => objects.phasesOf(object), { timeout: 15_000, interval: 300 }).toEqual([end])
    expect(objects.vendor.tasksOf(object)).toHaveLength(1)
  },
)

test('a job whose object is torn down inside an alarm goes on by that alarm, although nobody asks for anything', async () => {
  await objects.create('torn-poll', { model: 'finds', prompt: 'torn-poll', ms: 500, holdPoll: 60_000 })
  await expect.poll(() => objects.vendor.tasksOf('torn-poll')[0]?.isPolled).toBe(true)
  await objects.tearDown()
  const hasEnded = () => objects.vendor.tasksOf('torn-poll')[0]?.saidDoneAt !== undefined
  await expect.poll(hasEnded, { timeout: 25_000, interval: 300 }).toBe(true)
  await expect.poll(() => objects.phasesOf('torn-poll')).toEqual(['completed'])
  expect(objects.vendor.tasksOf('torn-poll')).toHaveLength(1)
})

test('a job that is too long for a row of its object is refused for good, and not as an outage that passes', async () => {
  const created = await objects.create('long', { model: 'finds', prompt: 'x'.repeat(3_000_000), ms: 500 })
  expect(created.status).toBe(500)
  expect(objects.vendor.tasks.some(({ prompt }) => prompt.length > 1000)).toBe(false)
})

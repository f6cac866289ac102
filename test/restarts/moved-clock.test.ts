import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dayMs, idOf, startWorld, until, type World } from './world/world.ts'

const sweepMs = 5000
const speed = 20

/** Waits until each service has swept twice. */
async function swept(): Promise<void> {
  await delay((2.5 * sweepMs) / speed)
}

function running(world: World): readonly string[] {
  return world
    .jobs()
    .filter(({ phase }) => phase === 'running')
    .map(({ id }) => id)
}

test('a clock that is put back a day, and forward eight, in two processes keeps no job from its end and deletes none early', async ({
  onTestFinished,
}) => {
  const world = await startWorld(onTestFinished, { speed })
  const services = [world.start(), world.start()] as const
  const make = (index: number, prompt: string, task_ms: number) =>
    world
      .create(services[index % 2] ?? services[0], { prompt, task_ms, outputs: 2, poll_after_ms: 3000 })
      .then(idOf)
  const statusOf = async (id: string, index = 0) =>
    (await world.get(services[index % 2] ?? services[0], `/v1/jobs/${id}`)).status

  const old = await Promise.all([0, 1, 2, 3].map((index) => make(index, `old ${index}`, 20)))
  await until(() => world.jobs().every(({ phase }) => phase === 'completed'))
  await world.settled()
  const rows = old.map(world.row)
  const during = await Promise.all([0, 1, 2, 3].map((index) => make(index, `during ${index}`, 1500)))
  await until(() => running(world).length === 4)

  world.moveClock(-dayMs, services)
  const backAt = world.now()
  const young = await Promise.all([0, 1].map((index) => make(index, `young ${index}`, 20)))
  await until(() => world.jobs().every(({ phase }) => phase === 'completed'))
  await world.settled()
  await swept()
  expect(old.map(world.row)).toEqual(rows)
  for (const [index, id] of [...old, ...during, ...young].entries())
    expect(await statusOf(id, index)).toBe(200)
  // The jobs end within minutes of the clock that was put back, not a day later, and never before they have started.
  expect(world.now()).toBeLessThan(backAt + 600_000)
  for (const id of during) {
    const { startedAt = 0, completedAt = 0 } = world.job(id) ?? {}
    expect(completedAt).toBeGreaterThanOrEqual(startedAt)
    expect(completedAt).toBeLessThan(startedAt + 600_000)
  }

  const late = await Promise.all([0, 1].map((index) => make(index, `late ${index}`, 1500)))
  await until(() => running(world).length === 2)
  expect(world.fileNames()).toHaveLength(20)
  world.moveClock(8 * dayMs, services)
  const fresh = await make(0, 'fresh', 20)
  await until(() => world.jobs().length === 1)
  for (const [index, id] of [...old, ...during, ...young, ...late].entries())
    expect(await statusOf(id, index)).toBe(404)
  await until(() => world.job(fresh)?.phase === 'completed')
  await world.settled()
  expect(await statusOf(fresh)).toBe(200)
  expect(world.fileNames()).toHaveLength(2)
  expect(world.vendor.ledger).toHaveLength(13)
})

import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serviceOrigin } from '../crashes/service/server-settings.ts'
import { vendorOrigin } from '../crashes/vendor/vendor-wire.ts'
import { silentKinds } from '../crashes/vendor/task-wish.ts'
import type { Trouble } from './service/troubles.ts'
import type { StartedService } from './world/started-service.ts'
import { idOf, leaseMs, startWorld, until, type World } from './world/world.ts'

const speed = 5
/** All jobs are submitted before the first poll, because a submit that is cut short is tested elsewhere. */
const poll_after_ms = 5000 * speed

/**
 * Starts a new service whenever the last one has died, and moves the clock forward, so that the leases of the dead are over.
 * @returns how often a service died until all jobs were settled
 */
async function supervise(world: World, trouble: Trouble, first: StartedService): Promise<number> {
  let service = first
  let deaths = 0
  let isOver = false
  const supervising = (async () => {
    for (;;) {
      const end = await service.ended
      if (isOver) return
      expect(end).toBe(1)
      deaths++
      world.moveClock(leaseMs)
      service = world.start(trouble)
    }
  })()
  await Promise.race([world.settled(), supervising])
  isOver = true
  await service.kill()
  return deaths
}

/** Expects that the jobs are completed and that each was paid for once. */
async function expectAllWell(world: World, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    expect(world.job(id)).toMatchObject({ phase: 'completed', outputs: [{ fileKey: expect.anything() }] })
    expect(world.vendor.ledger.filter(({ order }) => order.job_id === id)).toHaveLength(1)
  }
}

test.concurrent(
  'a job that crashes every process that takes it up has failed after five, and twenty others are made and paid for once',
  async ({ onTestFinished }) => {
    // The poll of the poison is answered first, so the other jobs are in the middle of their polls when the process dies.
    const world = await startWorld(onTestFinished, {
      speed,
      delays: {
        answer: ({ kind, prompt }) => (kind === 'poll' ? delay(prompt === 'poison' ? 50 : 100) : undefined),
      },
    })
    const trouble = 'crashes over a poll'
    const service = world.start(trouble)
    const others: string[] = []
    for (let index = 0; index < 20; index++) {
      const task = { task_ms: 100 * index, poll_after_ms }
      const model = silentKinds[index % 3] ?? 'plain'
      others.push(idOf(await world.create(service, { ...task, model, prompt: `order ${index}` })))
    }
    const poison = idOf(await world.create(service, { prompt: 'poison', task_ms: 20, poll_after_ms }))
    await until(() => world.jobs().every(({ phase }) => phase !== 'accepted' && phase !== 'submitting'))

    const deaths = await supervise(world, trouble, service)
    expect(deaths).toBe(5)
    expect(world.job(poison)).toMatchObject({
      phase: 'failed',
      error: { code: 'service_failed', message: 'The service broke down 5 times in a row during this job.' },
    })
    await expectAllWell(world, others)
    expect(world.vendor.ledger).toHaveLength(21)
  },
)

test.concurrent(
  'an output that crashes every process that copies it stays at the provider after five, and the others are copied',
  async ({ onTestFinished }) => {
    const world = await startWorld(onTestFinished, {
      speed,
      delays: {
        answer: ({ kind, prompt }) => (kind === 'file' ? delay(prompt === 'poison' ? 20 : 100) : undefined),
      },
    })
    const trouble = 'crashes over a copy'
    const service = world.start(trouble)
    const others: string[] = []
    for (let index = 0; index < 20; index++) {
      const task = { task_ms: 100, poll_after_ms }
      others.push(idOf(await world.create(service, { ...task, prompt: `order ${index}` })))
    }
    const poison = idOf(
      await world.create(service, { prompt: 'poison', outputs: 3, task_ms: 20, poll_after_ms }),
    )
    await until(() => world.jobs().every(({ phase }) => phase !== 'accepted' && phase !== 'submitting'))

    const deaths = await supervise(world, trouble, service)
    expect(deaths).toBe(5)
    await expectAllWell(world, others)
    const { outputs, ...job } = world.job(poison) ?? { outputs: [] }
    expect(job).toMatchObject({ phase: 'completed', costUsd: world.vendor.ledger[20]?.costUsd })
    expect(outputs.map(({ url }) => url)).toEqual([0, 1, 2].map((n) => `${vendorOrigin}/files/task-21/${n}`))

    const healed = world.start()
    const { data, status } = JSON.parse((await world.get(healed, `/v1/jobs/${poison}`)).text)
    expect(status).toBe('completed')
    const redirect = await world.get(healed, String(data[2].url).replace(serviceOrigin, ''))
    expect(redirect.headers.get('location')).toBe(`${vendorOrigin}/files/task-21/2`)
    expect(world.vendor.ledger).toHaveLength(21)
  },
)

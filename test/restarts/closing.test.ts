import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { idOf, type Reply, startWorld, until, type World } from './world/world.ts'

/** The promise is one second. The rest is for a busy machine. */
const promisedMs = 1_000 + 500
/** The speed of the services' clocks. It is low, so that no wait ends because its time is up. */
const speed = 2
/** The pause that the vendor asks for before the next poll, in milliseconds of the service's clock. */
const sleepMs = 20_000

/** Locks the database against the writes of all services, as a long backup does. @returns what unlocks it */
async function lockDatabase({ places }: World): Promise<() => void> {
  const database = new DatabaseSync(places.database)
  // If SQLite waited for the lock, this thread would stand still, and with it the tests that measure time beside this one.
  await until(() => {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return true
    } catch (error) {
      if (String(error).includes('database is locked')) return false
      throw error
    }
  })
  return () => database.close()
}

interface Trial {
  readonly lockedForMs?: number
  /** The calls that the vendor does not answer. */
  readonly hanging?: 'submit' | 'poll'
}

const trials: readonly (readonly [string, Trial])[] = [
  ['and all is well', {}],
  ['while another process has locked the database', { lockedForMs: 3000 }],
  ['while the provider hangs over polls', { hanging: 'poll' }],
  ['while the provider hangs over submits', { hanging: 'submit' }],
  ['while the provider hangs and the database is locked', { hanging: 'poll', lockedForMs: 3000 }],
]

describe.concurrent('fifty who wait are answered 202 within a second when the service closes', () => {
  test.for(trials)('%s', async ([, { lockedForMs = 0, hanging }], { onTestFinished }) => {
    const answer = Promise.withResolvers<void>()
    const world = await startWorld(onTestFinished, {
      speed,
      delays: { answer: ({ kind }) => (kind === hanging ? answer.promise : undefined) },
    })
    const service = world.start()
    const answered: number[] = []
    const waiting = Promise.all(
      Array.from({ length: 50 }, async (_, index): Promise<Reply> => {
        const reply = await world.create(
          service,
          { prompt: `order ${index}`, task_ms: 200, poll_after_ms: hanging ? 20 : sleepMs },
          { wait: true },
        )
        answered.push(performance.now())
        return reply
      }),
    )
    // If the test fails before it awaits the replies, their errors must not count as unhandled.
    waiting.catch(() => {})
    const phaseThen = hanging === 'submit' ? 'submitting' : 'running'
    await until(() => world.jobs().filter(({ phase }) => phase === phaseThen).length === 50)
    if (hanging) await until(() => world.vendor.calls.filter(({ kind }) => kind === hanging).length === 50)
    expect(answered).toEqual([])

    const unlock = lockedForMs > 0 ? await lockDatabase(world) : () => {}
    const closedAt = performance.now()
    service.tell('close')
    const unlocking = delay(lockedForMs).then(unlock)
    const replies = await waiting
    expect(Math.max(...answered) - closedAt).toBeLessThan(promisedMs)
    expect(replies.map(({ status, text }) => [status, JSON.parse(text).status])).toEqual(
      replies.map(() => [202, 'processing']),
    )
    answer.resolve()
    await unlocking
    expect(await service.ended).toBe(0)

    world.moveClock(sleepMs)
    world.start()
    await world.settled()
    expect(world.jobs().filter(({ phase }) => phase !== 'completed')).toEqual([])
    expect(new Set(world.jobs().map(({ id }) => id))).toEqual(new Set(replies.map(idOf)))
    expect(world.vendor.ledger).toHaveLength(50)
  })
})

test.concurrent.for([
  ['', 0],
  [', though another process has locked the database meanwhile', 2000],
] as const)(
  'a submit that is in flight when the service closes is in the database when the process has ended by itself%s',
  async ([, lockedForMs], { onTestFinished }) => {
    const answer = Promise.withResolvers<void>()
    const world = await startWorld(onTestFinished, {
      speed,
      delays: { answer: ({ kind }) => (kind === 'submit' ? answer.promise : undefined) },
    })
    const service = world.start()
    const id = idOf(await world.create(service, { prompt: 'the one', task_ms: 50 }))
    await until(() => world.vendor.ledger.length === 1)
    const unlock = lockedForMs > 0 ? await lockDatabase(world) : () => {}
    service.tell('close')
    // After this refusal the service waits only for the vendor's answer.
    await expectRefused(world.create(service, { prompt: 'too late' }))
    answer.resolve()
    await delay(lockedForMs)
    unlock()
    expect(await service.ended).toBe(0)
    await service.heard('closed')
    expect(world.job(id)).toMatchObject({ phase: 'running', handle: 'task-1' })
    expect(world.job(id)?.claimedUntil).toBeUndefined()

    world.start()
    await until(() => world.job(id)?.phase === 'completed')
    expect(world.vendor.ledger).toHaveLength(1)
  },
)

/** Expects that the service has answered 503, or that the server no longer listens. */
async function expectRefused(reply: Promise<Reply>): Promise<void> {
  expect((await reply.catch(() => undefined))?.status ?? 503).toBe(503)
}

test.concurrent(
  'who creates while the service closes has a job or is told that there is none',
  async ({ onTestFinished }) => {
    // A create has 0.9 seconds of the service's clock to be stored.
    const world = await startWorld(onTestFinished, { speed: 1 })
    const service = world.start()
    let created = 0
    let isClosing = false
    const clients = Array.from({ length: 10 }, async (_, client) => {
      const replies: { prompt: string; status: number }[] = []
      for (;;) {
        const prompt = `order ${replies.length} of client ${client}`
        const reply = await world.create(service, { prompt, task_ms: 50 }).catch(() => undefined)
        // A client that can't connect learns as well that there is no job: the server no longer listens.
        const status = reply?.status ?? 503
        replies.push({ prompt, status })
        if (status === 202) created++
        else if (isClosing) return replies
        if (created < 50 || isClosing) continue
        isClosing = true
        service.tell('close')
      }
    })
    const replies = (await Promise.all(clients)).flat()
    expect(await service.ended).toBe(0)

    const stored = new Set(world.jobs().map(({ input }) => input['prompt']))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202, 503]))
    expect(stored).toEqual(
      new Set(replies.filter(({ status }) => status === 202).map(({ prompt }) => prompt)),
    )
    world.start()
    await world.settled()
    expect(world.jobs().filter(({ phase }) => phase !== 'completed')).toEqual([])
    expect(world.vendor.ledger).toHaveLength(stored.size)
  },
)

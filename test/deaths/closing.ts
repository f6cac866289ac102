import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { cpuWaitMs } from '../processes/cpu-wait.ts'
import { until } from '../until.ts'
import { type Campaign, startCampaign } from './campaign/campaign.ts'
import { create, get, idOf, type Reply } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'

/** The promise. */
const promisedMs = 1_000

/**
 * What a busy machine may add: half a second, or twice the time in which the server has just answered fifty reads. The time
 * for which server and clients then wait for a CPU comes on top.
 */
async function toleranceMs(campaign: Campaign, server: StartedServer, jobId: string): Promise<number> {
  const from = performance.now()
  await Promise.all(Array.from({ length: 50 }, () => get(campaign, server, `/v1/jobs/${jobId}`)))
  return Math.max(500, 2 * (performance.now() - from))
}
/** The speed of the services' clocks. It is low, so that no wait ends because its time is up. */
export const speed = 2
/** The pause that the vendor asks for before the next poll, in milliseconds of the service's clock. */
const sleepMs = 20_000

/** Locks the database against the writes of all services, as a long backup does. @returns what unlocks it */
async function lockDatabase({ places }: Campaign): Promise<() => void> {
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

export interface Trial {
  readonly lockedForMs?: number
  /** The calls that the vendor does not answer. */
  readonly hanging?: 'submit' | 'poll'
}

/** Declares a test of closing with fifty clients that wait for each of these trials. */
export function testWaitersAtClose(trials: readonly (readonly [name: string, trial: Trial])[]): void {
  describe.concurrent('fifty clients that wait for jobs are answered 202 within a second when the server closes', () => {
    test.for(trials)('%s', async ([, { lockedForMs = 0, hanging }], { onTestFinished }) => {
      const answer = Promise.withResolvers<void>()
      const campaign = await startCampaign(onTestFinished, {
        speed,
        delays: { answer: ({ kind }) => (kind === hanging ? answer.promise : undefined) },
      })
      const service = campaign.start()
      const waitedMs = () => cpuWaitMs(service.pid) + cpuWaitMs()
      const answered: number[] = []
      let lastWaitedMs = 0
      const waiting = Promise.all(
        Array.from({ length: 50 }, async (_, index): Promise<Reply> => {
          const reply = await create(
            campaign,
            service,
            { prompt: `order ${index}`, task_ms: 200, poll_after_ms: hanging ? 20 : sleepMs },
            { wait: true },
          )
          answered.push(performance.now())
          lastWaitedMs = Math.max(lastWaitedMs, waitedMs())
          return reply
        }),
      )
      // If the test fails before it awaits the replies, their errors must not count as unhandled.
      waiting.catch(() => {})
      const phaseThen = hanging === 'submit' ? 'submitting' : 'running'
      await until(() => campaign.jobs().filter(({ phase }) => phase === phaseThen).length === 50)
      if (hanging)
        await until(() => campaign.vendor.calls.filter(({ kind }) => kind === hanging).length === 50)
      expect(answered).toEqual([])

      const [job] = campaign.jobs()
      const allowedMs = promisedMs + (await toleranceMs(campaign, service, job?.id ?? ''))
      const unlock = lockedForMs > 0 ? await lockDatabase(campaign) : () => {}
      const closedAt = performance.now()
      const waitedBeforeMs = (lastWaitedMs = waitedMs())
      service.tell('close')
      const unlocking = delay(lockedForMs).then(unlock)
      const replies = await waiting
      expect(Math.max(...answered) - closedAt).toBeLessThan(allowedMs + lastWaitedMs - waitedBeforeMs)
      expect(replies.map(({ status, text }) => [status, JSON.parse(text).status])).toEqual(
        replies.map(() => [202, 'processing']),
      )
      answer.resolve()
      await unlocking
      expect(await service.ended).toBe(0)

      campaign.setClock(sleepMs)
      campaign.start()
      await campaign.settled()
      expect(campaign.jobs().filter(({ phase }) => phase !== 'completed')).toEqual([])
      expect(new Set(campaign.jobs().map(({ id }) => id))).toEqual(new Set(replies.map(idOf)))
      expect(campaign.vendor.ledger).toHaveLength(50)
    })
  })
}

/** Declares a test of closing during a submit. @param lockedForMs how long another process then locks the database */
export function testSubmitAtClose(meanwhile = '', lockedForMs = 0): void {
  test.concurrent(`a server that closes during a submit stores the answer before it ends by itself${meanwhile}`, async ({
    onTestFinished,
  }) => {
    const answer = Promise.withResolvers<void>()
    const campaign = await startCampaign(onTestFinished, {
      speed,
      delays: { answer: ({ kind }) => (kind === 'submit' ? answer.promise : undefined) },
    })
    const service = campaign.start()
    const id = idOf(await create(campaign, service, { prompt: 'the one', task_ms: 50 }))
    await until(() => campaign.vendor.ledger.length === 1)
    const unlock = lockedForMs > 0 ? await lockDatabase(campaign) : () => {}
    service.tell('close')
    // After this refusal the service waits only for the vendor's answer.
    await expectRefused(create(campaign, service, { prompt: 'too late' }))
    answer.resolve()
    await delay(lockedForMs)
    unlock()
    expect(await service.ended).toBe(0)
    expect(service.output).toContain('closed\n')
    expect(campaign.job(id)).toMatchObject({ phase: 'running', handle: 'task-1' })
    expect(campaign.job(id)?.claim?.until).toBeUndefined()

    campaign.start()
    await until(() => campaign.job(id)?.phase === 'completed')
    expect(campaign.vendor.ledger).toHaveLength(1)
  })
}

/** Expects that the service has answered 503, or that the server no longer listens. */
async function expectRefused(reply: Promise<Reply>): Promise<void> {
  expect((await reply.catch(() => undefined))?.status ?? 503).toBe(503)
}

import { setTimeout as delay } from 'node:timers/promises'
import { type Limits, limits } from '@genmount/core/limits'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

const perSecond = 200
const owners = Array.from({ length: 20 }, (_, number) => `owner-${number}`)

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** A service on Postgres whose jobs end after a second. */
async function serviceWith(most: Limits) {
  const { backend } = nodeOn(url, undefined, { max: 20 })
  const price = { text: '0.04 USD', per: 'image', usd: 0.04 }
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const service = createGenerationService({
    providers: [fakeProvider({ models, behave: [{ delayMs: 1000, costUsd: 0.04 }] })],
    backend,
    plugins: [limits(most)],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  await service.ready()
  for (const owner of owners) await service.grant(owner, 1000, { by: 'the test', why: 'a start' })
  const tookMs: number[] = []
  const create = async (number: number) => {
    const from = performance.now()
    await service.create({ owner: owners[number % 20]!, model: 'fake-image', input: { prompt: 'a fox' } })
    tookMs.push(performance.now() - from)
  }
  return {
    /** Creates jobs for two seconds, at a steady rate. */
    async load(): Promise<void> {
      const creates: Promise<void>[] = []
      const count = 2 * perSecond
      const from = performance.now()
      while (creates.length < count) {
        // What a timer comes too late is made up for, so the rate does not sink while creates are slow.
        const due = Math.min(count, ((performance.now() - from) / 1000) * perSecond)
        while (creates.length < due) creates.push(create(creates.length))
        await delay(5)
      }
      await Promise.all(creates)
      // The jobs of one service end before it is the turn of the other.
      await delay(2000)
    },
    /** How long this share of the creates took at most, in milliseconds. */
    within: (share: number) => tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * share)]!,
  }
}

test('at 200 creates each second, 99 of 100 creates of owners with a day, a month and a balance take less than 100 ms on Postgres, besides what they take without limits on a busy machine', async () => {
  const free = await serviceWith({})
  const limited = await serviceWith({ spendUsdPerDay: 1000, spendUsdPerMonth: 10_000, balance: true })
  // In turns, so that both meet the same machine.
  for (let round = 0; round < 5; round++) {
    await free.load()
    await limited.load()
  }
  const shown = ({ within }: typeof free) =>
    `median ${within(0.5).toFixed(1)} ms, p99 ${within(0.99).toFixed(1)} ms`
  console.log(`without limits: ${shown(free)}; with three budgets: ${shown(limited)}`)
  expect(limited.within(0.99)).toBeLessThan(100 + free.within(0.99))
})

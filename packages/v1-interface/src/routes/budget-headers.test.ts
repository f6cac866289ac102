import { createGenerationService } from '@genmount/core'
import { type Limits, limits } from '@genmount/core/limits'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { kite, setUp } from '../test-kit/set-up.ts'

function limited(most: Limits) {
  const clock = manualClock()
  const price = { text: '1.1 USD', per: 'image', usd: 1.1 }
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const providers = [fakeProvider({ clock, models, behave: [{ delayMs: 60_000 }] })]
  const service = createGenerationService({ providers, clock, log: quietLog(), plugins: [limits(most)] })
  return { ...setUp({ service }), clock }
}

const left = ({ headers }: { readonly headers: Record<string, string> }) => headers['x-budget-remaining-usd']

test('a create says what the tightest budget leaves, exactly, and a repeated create does not', async () => {
  const { ask } = limited({ spendUsdPerDay: 10, spendUsdPerMonth: 3.300001 })
  const key = { 'idempotency-key': 'once' }
  expect(left(await ask('POST /m/v1/generate', kite, key))).toBe('2.200001')
  expect(left(await ask('POST /m/v1/generate', kite, key))).toBeUndefined()
  expect(left(await ask('POST /m/v1/generate', kite))).toBe('1.100001')
  expect(left(await ask('POST /m/v1/generate', kite))).toBe('0.000001')
})

test('a create without a budget has no such header', async () => {
  const { ask } = limited({ runningJobs: 5 })
  expect(left(await ask('POST /m/v1/generate', kite))).toBeUndefined()
})

test('a create that does not fit into a month is refused with the seconds until the next one, and in words', async () => {
  const { ask, clock } = limited({ spendUsdPerMonth: 1 })
  clock.set(Date.parse('2026-02-28T23:58:59.500Z'))
  const { status, headers, json } = await ask('POST /m/v1/generate', kite)
  expect(status).toBe(429)
  expect(headers['retry-after']).toBe('61')
  expect(json.error).toMatchObject({
    code: 'insufficient_quota',
    message:
      'Your jobs may cost 1.00 US dollars in a month, of which 0.00 are spent or reserved for jobs that have not ended. This job may cost 1.10; 1.00 are left. A new month begins on 1 March 2026 (UTC).',
  })
})

test('a create that does not fit into a day has no Retry-After, because the day moves', async () => {
  const { ask } = limited({ spendUsdPerDay: 1 })
  const { status, headers } = await ask('POST /m/v1/generate', kite)
  expect([status, headers['retry-after']]).toEqual([429, undefined])
})

import { expect, test } from 'vitest'
import { limits } from '@genmount/core/limits'
import type { Provider } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import { fakeProvider, fakeWorld } from '@genmount/testing'

test.each([
  ['a negative cost', 3, -3],
  ['a cost that is not a number', 3, Number.NaN],
  ['an infinite cost', 3, Number.POSITIVE_INFINITY],
  ['a negative infinite cost', 3, Number.NEGATIVE_INFINITY],
  ['a cost that is a text', 3, '3'],
  ['no cost', 3, undefined],
  ['a huge cost', 1_000_000, 1e308],
  ['a cost below a millionth', 0, 1e-9],
])(
  'a vendor that reports %s makes a job of 3 US dollars count as %d in every budget',
  async (_what, usd, cost) => {
    const price = { text: '3 USD', per: 'image', usd: 3 }
    const models = fakeProvider().models.map((model) => ({ ...model, price }))
    const most = {
      spendUsdPerDay: 5,
      spendUsdPerMonth: 5,
      balance: true,
      key: { spendUsdPerDay: 5 },
    } as const
    const world = fakeWorld(
      { models, behave: [{ delayMs: 1000, costUsd: 3 }] },
      {
        plugins: [limits(most)],
        provider: {
          async poll(...call: Parameters<Provider['poll']>): Promise<ProviderReport> {
            const report = await world.provider.poll(...call)
            return report.state === 'succeeded' ? { ...report, costUsd: cost as number } : report
          },
        },
      },
    )
    const { service, clock, jobs } = world
    await service.grant('alice', 5, { by: 'test', why: 'test' })
    const create = () =>
      service.create({ owner: 'alice', keyId: 'k', model: 'fake-image', input: { prompt: 'a fox' } })
    const { job } = await create()
    await clock.advance(60_000)
    expect((await service.get(job.id, 'alice')).phase).toBe('completed')
    const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
    expect(sums!.spentMicroUsd + sums!.reservedMicroUsd).toBe(usd * 1e6)
    const next = create().then(
      () => 'accepted',
      ({ code }: { readonly code: string }) => code,
    )
    expect(await next).toBe(usd < 2 ? 'accepted' : 'insufficient_quota')
  },
)

import { limits } from '@genmount/core/limits'
import type { ServicePlugin } from '@genmount/core'
import { expect, test } from 'vitest'
import { filmer, painter } from './models.ts'
import { openaiWorld } from './openai-world.ts'

const fox = { model: 'painter', prompt: 'a fox' }
const film = { model: 'filmer', prompt: 'a fox' }

/** A service whose outputs cost 0.4 US dollars each. */
function paidWorld(...plugins: readonly ServicePlugin[]) {
  const price = { text: '0.4 USD per output', per: 'output', usd: 0.4 }
  const models = [painter, filmer].map((model) => ({ ...model, price }))
  return openaiWorld({ service: { plugins }, studio: { models, behave: [{ costUsd: 0.4 }] } })
}

test('pictures and films count in the budget of the key that orders them, and the answer says what is left of it', async () => {
  const { client, studio } = await paidWorld(limits({ key: { spendUsdPerDay: 0.9 } }))
  const { response } = await client().images.generate(fox).withResponse()
  expect(response.headers.get('x-budget-remaining-usd')).toBe('0.5')
  await client().videos.create(film)
  const refusal = { status: 429, code: 'insufficient_quota', message: expect.stringContaining('this key') }
  await expect(client().images.generate(fox)).rejects.toMatchObject(refusal)
  await expect(client().videos.create(film)).rejects.toMatchObject(refusal)
  await client({ apiKey: 'alice-phone' }).images.generate(fox)
  expect(studio.submits).toHaveLength(3)
})

test('the header x-spend-usd-per-day limits the pictures and films of its request', async () => {
  const { sdk, studio } = await paidWorld(limits({}))
  const headers = { 'x-spend-usd-per-day': '0.5' }
  await sdk.images.generate({ ...fox, n: 2 }, { headers }).then(({ data }) => expect(data).toHaveLength(1))
  await expect(sdk.images.generate(fox, { headers })).rejects.toMatchObject({ code: 'insufficient_quota' })
  await expect(sdk.videos.create(film, { headers })).rejects.toMatchObject({ code: 'insufficient_quota' })
  const wrong = { headers: { 'x-spend-usd-per-day': 'much' } }
  await expect(sdk.images.generate(fox, wrong)).rejects.toMatchObject({ param: 'x-spend-usd-per-day' })
  expect(studio.submits).toHaveLength(1)
})

test('a service that holds no limit of a request makes no picture for a request that sets one', async () => {
  const { sdk, studio } = await paidWorld()
  const headers = { 'x-spend-usd-per-day': '0.5' }
  await expect(sdk.images.generate(fox, { headers })).rejects.toMatchObject({ code: 'not_supported' })
  expect(studio.submits).toHaveLength(0)
})

test('a dry run, which only the paths of /v1 have, makes no picture and no film', async () => {
  const { sdk, studio } = await paidWorld()
  for (const value of ['true', '1'])
    for (const dryRun of [
      () => sdk.images.generate(fox, { query: { dry_run: value } }),
      () => sdk.videos.create(film, { query: { dry_run: value } }),
    ])
      await expect(dryRun()).rejects.toMatchObject({ status: 400, param: 'dry_run' })
  expect(studio.submits).toHaveLength(0)
})

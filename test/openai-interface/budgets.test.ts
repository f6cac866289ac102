import { limits } from '@genmount/core/limits'
import { expect, test } from 'vitest'
import { painter } from './models.ts'
import { openaiWorld } from './openai-world.ts'

const fox = { model: 'painter', prompt: 'a fox' }

test('pictures of the images API count in the budget of their key, and the answer says what is left of it', async () => {
  const price = { text: '0.4 USD', per: 'image' as const, usd: 0.4 }
  const { client, studio } = await openaiWorld({
    studio: { models: [{ ...painter, price }], behave: [{ costUsd: 0.4 }] },
    service: { plugins: [limits({ key: { spendUsdPerDay: 0.5 } })] },
  })
  const { response } = await client().images.generate(fox).withResponse()
  expect(response.headers.get('x-budget-remaining-usd')).toBe('0.1')
  await expect(client().images.generate(fox)).rejects.toMatchObject({
    status: 429,
    code: 'insufficient_quota',
    message: expect.stringContaining('The jobs of this key may cost 0.50 US dollars in 24 hours'),
  })
  await client({ apiKey: 'bob-key' }).images.generate(fox)
  expect(studio.submits).toHaveLength(2)
})

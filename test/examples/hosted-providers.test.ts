import { expect, test } from 'vitest'
import { printedByFailure, servedHosted } from './hosted-server.ts'

test('the example hosted-providers makes images and videos of three vendors for clients with one key, with their costs', async () => {
  const { make } = await servedHosted('hosted-providers')
  const [flux, film, picture] = await Promise.all([
    make('flux-schnell'),
    make('veo-3.1', { duration: 4 }),
    make('gpt-image-2.6-flare'),
  ])
  for (const job of [flux, film, picture]) expect(job).toMatchObject({ status: 'completed', error: null })
  expect([flux.output_kind, film.output_kind, picture.output_kind]).toEqual(['image', 'video', 'image'])
  expect(Math.min(flux.cost_usd, film.cost_usd, picture.cost_usd)).toBeGreaterThan(0)
})

test.each([
  ['is busy, and then refuses our key', ['429', '401']],
  ['wants money', ['402']],
])(
  'the example hosted-providers makes a model of two vendors at the second vendor when the first %s',
  async (_what, answers) => {
    const { server, make } = await servedHosted('hosted-providers', { FAL_ANSWERS: answers.join() })
    for (const _answer of answers) {
      const job = await make('flux-schnell')
      expect(job).toMatchObject({ status: 'completed', error: null, cost_usd: 0.003 })
    }
    expect(server.output.match(/fal answered \d+/g)).toEqual(
      answers.map((status) => `fal answered ${status}`),
    )
    expect(server.output.match(/replicate\/flux-schnell is next/g)).toHaveLength(answers.length)
  },
)

test('the example hosted-providers without CLIENT_KEY exits with 1 and names the variable', async () => {
  const wrong = { CLIENT_KEY: '', FAL_KEY: 'a:b' }
  expect(await printedByFailure('hosted-providers', wrong)).toMatch(/^Set CLIENT_KEY /m)
})

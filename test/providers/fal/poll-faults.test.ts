import { expect, test } from 'vitest'
import { always } from '../vendor-server.ts'
import { isFor } from './fal-fake.ts'
import { images, notFound, stillInProgress } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

test.each([
  ['422', { status: 422, json: { detail: 'No.' } }],
  ['a status that is no text', { status: 202, json: { status: 7 } }],
  ['a word that is new', { status: 202, json: { status: 'WARMING_UP' } }],
  ['a word that sounds like the end', { status: 202, json: { status: 'FAILED' } }],
])('a fal job is polled again after a status of %s', async (_what, instead) => {
  const { fake, create, finished } = await falWorld()
  fake.trouble(isFor('status'), { instead, times: 3 })
  expect(await finished(await create())).toMatchObject({ phase: 'completed' })
  expect(fake.ledger).toHaveLength(1)
})

test.each([
  ['status', 404],
  ['status', 410],
  ['result', 404],
  ['result', 410],
] as const)(
  'a fal job fails as provider_lost when the %s of its request stays gone (%s)',
  async (route, status) => {
    const { fake, create, finished } = await falWorld()
    fake.trouble(isFor(route), always({ instead: { ...notFound, status } }))
    expect(await finished(await create())).toMatchObject({
      phase: 'failed',
      error: { code: 'provider_lost' },
      costUsd: 0,
    })
    expect(fake.ledger).toHaveLength(1)
  },
)

test('the result of a fal request is read again when it is still in progress', async () => {
  const { fake, create, finished } = await falWorld()
  fake.trouble(isFor('result'), { instead: stillInProgress, times: 2 })
  expect(await finished(await create())).toMatchObject({ phase: 'completed' })
})

test.each([
  ['no output', {}],
  ['null', null],
  ['null for outputs', { images: null, image: null }],
  ['no pictures', { images: [] }],
  ['a picture without a URL', { images: [{ url: null }] }],
  ['a javascript: URL', { images: [{ url: 'javascript:alert(1)' }] }],
  ['an http: URL', { images: [{ url: 'http://v3.fal.media/a.png' }] }],
  ['a data: URL without a file', { images: [{ url: 'data:image/png;base64,' }] }],
  ['a film for a picture', { video: { url: 'https://v3.fal.media/a.mp4' } }],
])('a fal result with %s fails the job as output_invalid, which is paid for once', async (_what, json) => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = { ...images(1), json }
  expect(await finished(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'output_invalid' },
    costUsd: 0.003,
  })
  expect(fake.ledger).toHaveLength(1)
})

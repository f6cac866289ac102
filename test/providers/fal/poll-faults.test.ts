import { expect, test } from 'vitest'
import { falKey, type FalRoute } from './fal-fake.ts'
import { changing, enormous, htmlPage, only, resetBefore, saying, silence, truncated } from './fal-faults.ts'
import { images, notFound, stillInProgress } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

const secret = falKey.split(':')[1]!
const echo = { detail: `Key ${falKey} is no good, says ${secret}.` }

const noNews = [
  ['401', saying(401, echo)],
  ['402', saying(402, echo)],
  ['403', saying(403, echo)],
  ['408', saying(408)],
  ['429 until in 7 seconds', saying(429, { detail: 'Slow down.' }, { 'retry-after': '7' })],
  ['429 until a nonsense', saying(429, { detail: 'Slow down.' }, { 'retry-after': 'soon' })],
  ['500', saying(500, '')],
  ['503', saying(503)],
  ['a page of a proxy', htmlPage],
  ['a reset', resetBefore],
  ['silence', silence],
  ['truncated JSON', truncated],
  ['50 MB', enormous],
  ['a redirect', saying(302, {}, { location: 'https://evil.example/' })],
] as const

const routes: readonly FalRoute[] = ['status', 'result']
const cases = routes.flatMap((route) => noNews.map(([what, fault]) => [route, what, fault] as const))

test.each(cases)('a %s that is answered with %s is asked for again', async (route, _what, fault) => {
  const { fake, create, end, written } = await falWorld()
  fake.intercept[route] = only(2, fault)
  const id = await create()
  expect(await end(id)).toMatchObject({ phase: 'completed', costUsd: 0.003 })
  expect(fake.ledger).toHaveLength(1)
  expect(await written(id)).not.toContain(secret)
})

test.each([
  ['409', saying(409)],
  ['422', saying(422)],
  ['a status that is no text', changing(() => ({ status: 7 }))],
  ['null', changing(() => null)],
  ['a word that is new', changing(() => ({ status: 'WARMING_UP' }))],
  ['a word that sounds like the end', changing(() => ({ status: 'FAILED' }))],
])('a status of %s is no end', async (_what, fault) => {
  const { fake, create, end } = await falWorld()
  fake.intercept.status = only(3, fault)
  expect(await end(await create())).toMatchObject({ phase: 'completed' })
  expect(fake.ledger).toHaveLength(1)
})

test.each(routes)(
  '429 with ten days on a %s is waited for until the deadline, and asked once more',
  async (route) => {
    const { fake, create, end } = await falWorld()
    fake.intercept[route] = saying(429, { detail: 'Later.' }, { 'retry-after': '864000' })
    expect(await end(await create())).toMatchObject({ phase: 'failed', error: { code: 'deadline_exceeded' } })
    expect(fake.ledger).toHaveLength(1)
  },
)

test.each([
  ['status', 404],
  ['status', 410],
  ['result', 404],
  ['result', 410],
] as const)('a request whose %s is gone (%s) is lost and not made again', async (route, status) => {
  const { fake, create, end } = await falWorld()
  fake.intercept[route] = saying(status, notFound.json)
  expect(await end(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'provider_lost' },
    costUsd: 0,
  })
  expect(fake.ledger).toHaveLength(1)
})

test('a request that fal has forgotten is lost', async () => {
  const { fake, create, until, end } = await falWorld()
  fake.taskDefaults.pollsLeft = 100
  const id = await create()
  await until(({ phase }) => phase === 'running', id)
  fake.forget(fake.ledger[0]!.requestId)
  expect(await end(id)).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
  expect(fake.ledger).toHaveLength(1)
})

test('a result that is not there yet, whatever the status says, is asked for again', async () => {
  const { fake, create, end } = await falWorld()
  fake.intercept.result = only(2, saying(stillInProgress.status, stillInProgress.json))
  expect(await end(await create())).toMatchObject({ phase: 'completed' })
})

test.each([
  ['no output', {}],
  ['null', null],
  ['null for outputs', { images: null, image: null }],
  ['no pictures', { images: [] }],
  ['a picture without a URL', { images: [{ url: null }] }],
  ['a javascript: URL', { images: [{ url: 'javascript:alert(1)' }] }],
  ['an http: URL', { images: [{ url: 'http://v3.fal.media/a.png' }] }],
  ['a data: URL', { images: [{ url: 'data:image/png;base64,iVBORw0KGgo=' }] }],
  ['a film for a picture', { video: { url: 'https://v3.fal.media/a.mp4' } }],
])('a result with %s fails the job, which is paid for once', async (_what, json) => {
  const { fake, create, end } = await falWorld()
  fake.taskDefaults.outcome = { ...images(1), json }
  expect(await end(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'output_invalid' },
    costUsd: 0.003,
  })
  expect(fake.ledger).toHaveLength(1)
})

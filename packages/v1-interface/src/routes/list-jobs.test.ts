import { GenerationError } from '@genmount/core'
import { expect, test } from 'vitest'
import { kite, setUp, slowKite } from '../test-kit/set-up.ts'

test('GET /v1/jobs lists the job objects of the owner, newest first, with a cursor for the next page', async () => {
  const { ask } = setUp()
  const ids: string[] = []
  for (const body of [kite, { ...slowKite, metadata: { shot: '17' } }, kite])
    ids.unshift((await ask('POST /m/v1/generate', body)).json.id)
  await ask(`POST /m/v1/generate`, kite, { authorization: 'Bearer bob-key' })
  const one = await ask('GET /m/v1/jobs?limit=2')
  expect(one).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(Object.keys(one.json)).toEqual(['object', 'data', 'has_more', 'next_cursor'])
  expect(one.json).toMatchObject({ object: 'list', has_more: true })
  const two = await ask(`GET /m/v1/jobs?limit=2&cursor=${one.json.next_cursor}`)
  expect(two.json).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
  const data = [...one.json.data, ...two.json.data]
  const got = await Promise.all(ids.map((id) => ask(`GET /m/v1/jobs/${id}`)))
  expect(data.map(({ id }) => id)).toEqual(ids)
  expect(data.map((job) => Object.keys(job))).toEqual(got.map(({ json }) => Object.keys(json)))
})

test('a job with metadata has it as its last field, and a job without metadata has exactly 16 fields', async () => {
  const { ask } = setUp()
  const metadata = { shot: '17', __note: 'ü' }
  const withSome = await ask('POST /m/v1/generate', { ...kite, metadata })
  expect(Object.keys(withSome.json)).toHaveLength(17)
  expect(Object.keys(withSome.json).at(-1)).toBe('metadata')
  expect(withSome.json).toMatchObject({ metadata, input: { prompt: 'a kite' } })
  expect(withSome.json.input).not.toHaveProperty('metadata')
  for (const none of [undefined, null, {}])
    expect(Object.keys((await ask('POST /m/v1/generate', { ...kite, metadata: none })).json)).toHaveLength(16)
  const { json } = await ask('GET /m/v1/jobs?metadata[shot]=17')
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual([withSome.json.id])
})

test('invalid metadata is refused with 400 before a job is made', async () => {
  const { ask } = setUp()
  for (const metadata of ['text', [], 5, { a: 1 }, { a: 'v'.repeat(513) }, { '': 'x' }])
    expect(await ask('POST /m/v1/generate', { ...kite, metadata })).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_request', param: 'metadata' } },
    })
  expect((await ask('GET /m/v1/jobs')).json.data).toEqual([])
})

test('GET /v1/jobs needs a key, answers HEAD and OPTIONS, and is not taken for a job without an id', async () => {
  const { ask } = setUp()
  expect(await ask('GET /m/v1/jobs?limit=0', undefined, { authorization: '' })).toMatchObject({ status: 401 })
  expect(await ask('GET /m/v1/jobs?limit=0')).toMatchObject({ status: 400 })
  expect(await ask('HEAD /m/v1/jobs')).toMatchObject({ status: 200, body: undefined })
  expect(await ask('OPTIONS /m/v1/jobs')).toMatchObject({
    status: 204,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  })
  expect(await ask('POST /m/v1/jobs', kite)).toMatchObject({ status: 405 })
  for (const line of ['GET /m/v1/jobs/', 'GET /m/v1//jobs', 'POST /m/v1/jobs/'])
    expect(await ask(line), line).toMatchObject({ status: 404, json: { error: { code: 'route_not_found' } } })
})

test('GET /v1/jobs on a job store that can not list is 501', async () => {
  const list = () => Promise.reject(new GenerationError('not_supported', 'No list.'))
  const { ask } = setUp({ service: { list } })
  expect(await ask('GET /m/v1/jobs')).toMatchObject({
    status: 501,
    json: { error: { code: 'not_supported' } },
  })
})

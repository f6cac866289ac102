import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { WireJob } from './expect-job.ts'
import { expectReadPath } from './expect-read-path.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, quick, quickVideo } from './suite-jobs.ts'

type ListedJob = WireJob & { readonly metadata?: Readonly<Record<string, string>> }

interface WirePage {
  readonly object: string
  readonly data: readonly ListedJob[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

async function page(client: SuiteClient, query: string, as: 'alice' | 'bob' = 'alice'): Promise<WirePage> {
  const reply = await client.send({ path: `/v1/jobs?${query}`, as })
  assert.equal(reply.status, 200, reply.text)
  const list = JSON.parse(reply.text) as WirePage
  assert.deepEqual(Object.keys(list), ['object', 'data', 'has_more', 'next_cursor'])
  assert.equal(list.object, 'list')
  assert.equal(list.has_more, list.next_cursor !== null)
  return list
}

/**
 * Reads pages until there are no more. Other cases create jobs of alice at the same time, so each case marks its own
 * jobs.
 */
async function allIds(client: SuiteClient, query: string, as?: 'alice' | 'bob'): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, next_cursor }: WirePage = await page(
      client,
      cursor ? `${query}&cursor=${cursor}` : query,
      as,
    )
    ids.push(...data.map(({ id }) => id))
    cursor = next_cursor
  }
  return ids
}

/** The job as `GET /v1/jobs/{id}` returns it, possibly with metadata. */
async function listedJob(client: SuiteClient, id: string): Promise<ListedJob> {
  const reply = await client.send({ path: `/v1/jobs/${id}` })
  assert.equal(reply.status, 200, reply.text)
  return JSON.parse(reply.text) as ListedJob
}

/** Creates a job with metadata that no other case uses. @returns its id */
async function marked(client: SuiteClient, mark: string, body: object = endless, more = {}): Promise<string> {
  const metadata = { mark, ...more }
  const reply = await client.send({ path: '/v1/generate?wait=true', body: { ...body, metadata } })
  assert(reply.status === 200 || reply.status === 202, reply.text)
  return (JSON.parse(reply.text) as { id: string }).id
}

export const listCases: Cases = {
  'the list of jobs needs a key, and serves GET, HEAD and OPTIONS': async (client) => {
    // Other cases create jobs between two requests, which a list without this mark would show.
    await expectReadPath(client, '/v1/jobs?metadata[mark]=none')
  },

  'the jobs of an owner are listed, the newest first, each once over all pages, and nobody else sees them':
    async (client) => {
      const ids: string[] = []
      for (let n = 0; n < 5; n++) ids.unshift(await marked(client, 'pages', quick))
      for (const limit of [1, 2, 100])
        assert.deepEqual(await allIds(client, `metadata[mark]=pages&limit=${limit}`), ids)
      assert.deepEqual(await allIds(client, 'metadata[mark]=pages', 'bob'), [])
      const everything = await page(client, 'limit=100')
      const instants = everything.data.map(({ created_at }) => created_at)
      assert.deepEqual(instants, instants.toSorted().toReversed())
    },

  'a page has 20 jobs unless the client asks for another number, and no more than it asks for': async (
    client,
  ) => {
    for (let n = 0; n < 22; n++) await client.create(quick)
    assert.equal((await page(client, '')).data.length, 20)
    assert.equal((await page(client, 'limit=3')).data.length, 3)
  },

  'a listed job is the job object that its own path gives': async (client) => {
    const id = await marked(client, 'same', quick, { 'a key': 'ü "quoted"' })
    const { data } = await page(client, 'metadata[mark]=same')
    assert.deepEqual(data, [await listedJob(client, id)])
  },

  'jobs that come between two pages do not move the second page': async (client) => {
    const [old, young] = [await marked(client, 'moves', quick), await marked(client, 'moves', quick)]
    const first = await page(client, 'metadata[mark]=moves&limit=1')
    assert.deepEqual(
      first.data.map(({ id }) => id),
      [young],
    )
    await marked(client, 'moves', quick)
    assert.deepEqual(await allIds(client, `metadata[mark]=moves&cursor=${first.next_cursor}`), [old])
  },

  'each filter leaves out what it does not ask for': async (client) => {
    const image = await marked(client, 'filters', quick, { kind: 'image' })
    const video = await marked(client, 'filters', quickVideo)
    const failed = await marked(client, 'filters', { ...quick, fail: 'content_policy' })
    const { created_at } = await listedJob(client, video)
    const ids = (query: string) => allIds(client, `metadata[mark]=filters&${query}`)
    assert.deepEqual(await ids('status=completed'), [video, image])
    assert.deepEqual(await ids('status=failed'), [failed])
    assert.deepEqual(await ids('status=processing'), [])
    assert.deepEqual(await ids(`model=${quickVideo.model}`), [video])
    assert.deepEqual(await ids('model=no-such-model'), [])
    assert.deepEqual(await ids('output_kind=video'), [video])
    assert.deepEqual(await ids('metadata[kind]=image'), [image])
    assert((await ids(`created_after=${created_at}`)).includes(video))
    assert(!(await ids(`created_before=${created_at}`)).includes(video))
  },

  'a parameter that is wrong, unknown or given twice is 400 with its name': async (client) => {
    const wrong = {
      limit: ['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=5&limit=5'],
      cursor: ['cursor=', 'cursor=x', 'cursor=Z2VuXzE', 'cursor=%00'],
      status: ['status=done', 'status=', 'status=failed&status=failed'],
      model: ['model='],
      output_kind: ['output_kind=audio'],
      created_after: ['created_after=yesterday', 'created_after=1767225600'],
      created_before: ['created_before=2026-02-30T00:00:00Z'],
      metadata: ['metadata[]=x', 'metadata[__proto__]=x', `metadata[${'k'.repeat(65)}]=x`],
      'metadata[a]': ['metadata[a]=x&metadata%5Ba%5D=x'],
      page: ['page=2'],
    }
    for (const [param, queries] of Object.entries(wrong))
      for (const query of queries)
        expectError(await client.send({ path: `/v1/jobs?${query}` }), 'invalid_request', { param })
  },

  'a cursor that was changed is 400': async (client) => {
    for (let n = 0; n < 2; n++) await marked(client, 'cursor', quick)
    const { next_cursor } = await page(client, 'metadata[mark]=cursor&limit=1')
    assert(next_cursor !== null)
    for (const cursor of [
      next_cursor.slice(0, -1),
      next_cursor.slice(1),
      `${next_cursor}A`,
      next_cursor.toLowerCase(),
    ])
      expectError(await client.send({ path: `/v1/jobs?cursor=${cursor}` }), 'invalid_request', {
        param: 'cursor',
      })
  },

  'metadata comes back with its job, not in its input, and a job without it has no such field': async (
    client,
  ) => {
    const id = await marked(client, 'kept', quick)
    const { metadata, input } = await listedJob(client, id)
    assert.deepEqual(metadata, { mark: 'kept' })
    assert(!('metadata' in input))
    for (const none of [null, {}]) await client.create({ ...endless, metadata: none })
  },

  'metadata that is too much or no text is 400 with its name': async (client) => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, '']))
    for (const metadata of ['x', [], 1, { a: 1 }, { a: null }, { '': '' }, { a: 'v'.repeat(513) }, many])
      expectError(
        await client.send({ path: '/v1/generate', body: { ...quick, metadata } }),
        'invalid_request',
        {
          param: 'metadata',
        },
      )
  },

  'metadata is part of the body of an idempotency key': async (client) => {
    const headers = [['Idempotency-Key', 'list-metadata']] as const
    const send = (metadata: object) =>
      client.send({ path: '/v1/generate', body: { ...quick, metadata }, headers })
    assert.equal((await send({ a: '1' })).status, 202)
    assert.equal((await send({ a: '1' })).headers.get('idempotency-replayed'), 'true')
    expectError(await send({ a: '2' }), 'idempotency_key_reused')
  },
}

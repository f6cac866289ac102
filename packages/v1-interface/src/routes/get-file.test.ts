import { memoryFileStore, type ByteRange, type FileStore, type Job } from '@genmount/core'
import { expect, test } from 'vitest'
import { kite, setUp } from '../test-kit/set-up.ts'

test('an output with a hash is served by ETag: 304 when it is unchanged, and in ranges', async () => {
  const { service } = setUp()
  let reads = 0
  const open: FileStore['open'] = async (key) => {
    const file = await service.files.open?.(key)
    const read = (range?: ByteRange) => {
      reads++
      return file!.read(range)
    }
    return file && { ...file, sha256: '4f1c', read }
  }
  const { ask } = setUp({ service: { ...service, files: { ...service.files, open } } })
  const { json: job } = await ask('POST /m/v1/generate?wait=true', kite)
  const { headers } = await ask(`GET /m/v1/files/${job.id}`)
  const path = headers['location']?.slice('http://media.test'.length)
  const get = (given: Record<string, string>, method = 'GET') =>
    ask(`${method} ${path}`, undefined, { authorization: '', ...given })

  const whole = await get({})
  const length = whole.headers['content-length']
  expect(whole).toMatchObject({ status: 200, headers: { etag: '"4f1c"' } })
  expect(await get({}, 'HEAD')).toMatchObject({ status: 200, headers: { etag: '"4f1c"' } })
  expect(await get({ range: 'bytes=1-3' })).toMatchObject({ status: 206, headers: { etag: '"4f1c"' } })
  expect(reads).toBe(2)

  for (const method of ['GET', 'HEAD']) {
    const known = await get({ 'if-none-match': '"a", W/"4f1c"', range: 'bytes=1-3' }, method)
    expect(known).toMatchObject({ status: 304, body: undefined, headers: { etag: '"4f1c"' } })
    // RFC 9110, 8.6: a length in this answer must be that of the whole file
    expect(known.headers['content-length']).toBe(length)
    expect(known.headers).not.toHaveProperty('content-type')
  }
  expect(reads).toBe(2)
  expect(await get({ 'if-none-match': '"a"' })).toMatchObject({ status: 200 })

  expect(await get({ 'if-range': '"4f1c"', range: 'bytes=1-3' })).toMatchObject({ status: 206 })
  expect(await get({ 'if-range': '"4f1c"', range: 'bytes=9999-' })).toMatchObject({ status: 416 })
  for (const other of ['"a"', 'W/"4f1c"', 'Sat, 01 Jan 2028 00:00:00 GMT'])
    expect(await get({ 'if-range': other, range: 'bytes=1-3' }), other).toMatchObject({ status: 200 })
})

test('an output without a hash has no ETag, and If-None-Match does not match it', async () => {
  const { ask } = setUp()
  const { json: job } = await ask('POST /m/v1/generate?wait=true', kite)
  const { headers } = await ask(`GET /m/v1/files/${job.id}`)
  const path = headers['location']?.slice('http://media.test'.length)
  for (const tag of ['"undefined"', 'undefined', '*', '']) {
    const reply = await ask(`GET ${path}`, undefined, { authorization: '', 'if-none-match': tag })
    expect(reply.status).toBe(200)
    expect(reply.headers).not.toHaveProperty('etag')
  }
})

test('an output that is not kept redirects to its https URL, or is 404 where that URL is not public https', async () => {
  const given = { phase: 'completed', id: 'gen_1', expiresAt: 2e12 } as Job
  const locate = async (url: string) => {
    const get = async () => ({ ...given, outputs: [{ url }] })
    return (await setUp({ service: { get } }).ask('GET /m/v1/files/gen_1')).headers['location']
  }
  expect(await locate('https://vendor.test/1.png?sig=a%2Fb')).toBe('https://vendor.test/1.png?sig=a%2Fb')
  for (const url of [
    'http://vendor.test/1.png',
    'javascript:alert(1)',
    'data:,x',
    '/v1',
    'https://a:b@vendor.test/',
    'https://10.0.0.7/1.png',
    'https://[::ffff:a9fe:a9fe]/latest',
    'https://2130706433/1.png',
    'https://localhost/1.png',
    `https://vendor.test/${'a'.repeat(9000)}`,
    '',
  ])
    expect(await locate(url), url).toBeUndefined()
})

const completed = { phase: 'completed', id: 'gen_1', model: 'clock', shownInput: {}, expiresAt: 2e12 }

test('an output whose URL is too long for a Location is file_not_ready until it is copied, and file_not_found when it never is', async () => {
  const outputs = [{ url: `https://vendor.test/1.png?signature=${'a'.repeat(9000)}` }]
  const given = { ...completed, outputs } as unknown as Job
  const ask = (job: Job) => setUp({ service: { get: async () => job } }).ask('GET /m/v1/files/gen_1')
  expect(await ask({ ...given, dueAt: 1 })).toMatchObject({
    status: 404,
    json: { error: { code: 'file_not_ready' } },
  })
  expect(await ask(given)).toMatchObject({ status: 404, json: { error: { code: 'file_not_found' } } })
  const copied = { ...given, dueAt: 1, outputs: [{ ...outputs[0], fileKey: 'gen_1-0' }] }
  expect(await ask(copied)).toMatchObject({
    status: 302,
    headers: { location: expect.stringMatching('http://media.test/m/v1/outputs/') },
  })
})

test('a file keeps the same link for a quarter of an hour, so that browsers find it in their cache', async () => {
  const outputs = [{ fileKey: 'k' }, { fileKey: 'l' }]
  const given = { ...completed, outputs } as unknown as Job
  const { service } = setUp()
  const quarterMs = 15 * 60 * 1000
  let now = 4 * quarterMs
  const { ask } = setUp({
    service: { get: async () => given, clock: { ...service.clock, now: () => now } },
  })
  const link = async (file = 'gen_1', key = 'alice-key') =>
    (await ask(`GET /m/v1/files/${file}`, undefined, { authorization: `Bearer ${key}` })).headers['location']
  const first = await link()
  expect(await link('gen_1?n=1')).not.toBe(first)
  expect(await link('gen_1', 'bob-key')).not.toBe(first)
  now += quarterMs - 1
  expect(await link()).toBe(first)
  now += 1
  expect(await link()).not.toBe(first)
})

test('a file store with links of its own is asked for a link that ends within an hour and with the job', async () => {
  const asked: number[] = []
  const link = async (key: string, untilAt: number) => {
    asked.push(untilAt)
    return `https://bucket.test/${key}`
  }
  const given = { phase: 'completed', id: 'gen_1', outputs: [{ fileKey: 'k' }] } as unknown as Job
  for (const expiresAt of [2_000_000, 2e12]) {
    const { service } = setUp()
    const overrides = {
      get: async () => ({ ...given, expiresAt }),
      files: { ...service.files, link },
      clock: { ...service.clock, now: () => 1_000_000 },
    }
    const reply = await setUp({ service: overrides }).ask('GET /m/v1/files/gen_1')
    expect(reply).toMatchObject({ status: 302, headers: { location: 'https://bucket.test/k' } })
  }
  expect(asked).toEqual([2_000_000, 4_600_000])
})

test('a file store that can not be reached gives a 503, and the cause goes to the log', async () => {
  const { service } = setUp()
  const get = async () =>
    ({ phase: 'completed', id: 'gen_1', expiresAt: 2e12, outputs: [{ fileKey: 'k' }] }) as unknown as Job
  const link = () => Promise.reject(new Error('bucket at 10.0.0.7'))
  const { ask, log } = setUp({ service: { get, files: { ...service.files, link } } })
  const reply = await ask('GET /m/v1/files/gen_1')
  expect(reply).toMatchObject({ status: 503, json: { error: { code: 'store_unavailable' } } })
  expect(reply.body).not.toContain('10.0.0.7')
  expect(String(log.lines)).toContain('10.0.0.7')
})

test('a link of a file store that is no URL gives a 500 and no Location', async () => {
  const locate = async (link: unknown) => {
    const files = { ...memoryFileStore(), link: async () => link as string }
    const { ask } = setUp({ service: { files } })
    const { json: job } = await ask('POST /m/v1/generate?wait=true', kite)
    const { status, headers } = await ask(`GET /m/v1/files/${job.id}`)
    return headers['location'] ?? status
  }
  expect(await locate('https://files.test/1\r\nset-cookie: a=b')).toBe(
    'https://files.test/1set-cookie:%20a=b',
  )
  expect(await locate('/relative')).toBe(503)
  expect(await locate(undefined)).toBe(503)
})

test('a file with an n beyond the outputs is 404 with the number of outputs', async () => {
  const messageOf = async (given: Partial<Job>, query: string) => {
    const get = async () => ({ id: 'gen_1', expiresAt: 2e12, outputs: [], ...given }) as unknown as Job
    const { status, json } = await setUp({ service: { get } }).ask(`GET /m/v1/files/gen_1${query}`)
    return [status, json.error.code, json.error.param, json.error.message]
  }
  const url = 'https://vendor.test/1.png'
  expect(await messageOf({ phase: 'completed', outputs: [{ url }] }, '?n=1')).toEqual([
    404,
    'file_not_found',
    'n',
    'n must be 0.',
  ])
  expect(await messageOf({ phase: 'completed', outputs: [{ url }, { url }] }, '?n=-1')).toEqual([
    404,
    'file_not_found',
    'n',
    'n must be from 0 to 1.',
  ])
  expect(await messageOf({ phase: 'failed' }, '')).toEqual([
    404,
    'file_not_found',
    null,
    'The job has failed, so it has no files.',
  ])
  expect(await messageOf({ phase: 'completed' }, '?n=first')).toEqual([
    400,
    'invalid_request',
    'n',
    'n must be a whole number, such as 0 for the first output.',
  ])
})

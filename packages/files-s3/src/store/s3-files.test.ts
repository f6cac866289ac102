import { describe, expect, test } from 'vitest'
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'

const credentials = { accessKeyId: 'KEYID', secretAccessKey: 'a-secret-key' }
const options: S3FilesOptions = { bucket: 'my-outputs', region: 'eu-central-1', credentials }
const linkTo = async (key: string, change: Partial<S3FilesOptions> = {}) =>
  new URL((await s3Files({ ...options, ...change }).link?.(key, Date.now() + 60_000)) ?? '')
const placeOf = async (change: Partial<S3FilesOptions>) => {
  const { origin, pathname } = await linkTo('gen_1-0', change)
  return origin + pathname
}

describe('s3Files stores a file', () => {
  test('at AWS on the host of its bucket in the region', async () => {
    expect(await placeOf({})).toBe('https://my-outputs.s3.eu-central-1.amazonaws.com/gen_1-0')
    const china = await placeOf({ region: 'cn-north-1' })
    expect(china).toBe('https://my-outputs.s3.cn-north-1.amazonaws.com.cn/gen_1-0')
    const endpoint = 'https://s3.dualstack.eu-central-1.amazonaws.com'
    expect(await placeOf({ endpoint })).toBe(
      'https://my-outputs.s3.dualstack.eu-central-1.amazonaws.com/gen_1-0',
    )
  })

  test('with the bucket in the path when the name of the bucket has dots', async () => {
    const place = await placeOf({ bucket: 'my.outputs' })
    expect(place).toBe('https://s3.eu-central-1.amazonaws.com/my.outputs/gen_1-0')
  })

  test('at other servers with the bucket in the path, or on the host if an option says so', async () => {
    for (const endpoint of ['https://account.r2.cloudflarestorage.com', 'https://storage.googleapis.com/'])
      expect(await placeOf({ endpoint })).toBe(`${endpoint.replace(/\/$/, '')}/my-outputs/gen_1-0`)
    const endpoint = 'https://minio.example:9000'
    expect(await placeOf({ endpoint, pathStyle: false })).toBe(
      'https://my-outputs.minio.example:9000/gen_1-0',
    )
    expect(await placeOf({ pathStyle: true })).toBe(
      'https://s3.eu-central-1.amazonaws.com/my-outputs/gen_1-0',
    )
  })

  test('under a short name of few characters that is different for each key', async () => {
    const keys = [
      '',
      '~',
      '.',
      '..',
      'a/b',
      'a~002fb',
      'a b',
      'é',
      'e\u0301',
      '\ud800',
      '\ud801',
      '🦊',
      'A',
      'a',
    ]
    const long = ['x'.repeat(251), 'x'.repeat(252), '/'.repeat(100_000)]
    const names = await Promise.all([...keys, ...long].map(async (key) => (await linkTo(key)).pathname))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^\/[\w~-]{1,250}$/)
  })
})

test('s3Files throws an error that names a wrong option and what it accepts, and shows no secret', () => {
  const wrong: readonly [change: object, message: string][] = [
    [{ bucket: 'a/b' }, 's3Files: bucket must be the name of a bucket.'],
    [{ bucket: undefined }, 's3Files: bucket must be the name of a bucket, not undefined.'],
    [{ region: undefined }, 's3Files: region must be the region of the bucket, such as eu-central-1'],
    [{ endpoint: 'http://minio:9000' }, 's3Files: endpoint must be the https origin of an S3 server'],
    [{ endpoint: 'https://minio.example/my-outputs' }, 's3Files: endpoint must be the https origin'],
    [{ endpoint: 'https://user:a-secret-key@minio.example' }, 's3Files: endpoint must be the https origin'],
    [{ pathStyle: 'yes' }, 's3Files: pathStyle must be true or false'],
    [{ fetch: 'guardedFetch' }, 's3Files: fetch must be a function such as guardedFetch'],
    [{ credentials: 'a-secret-key' }, 's3Files: credentials must be an object with accessKeyId'],
    [{ credentials: { accessKeyId: 'KEYID' } }, 's3Files: credentials.secretAccessKey must be a text'],
    [
      { credentials: { ...credentials, sessionToken: '' } },
      's3Files: credentials.sessionToken must be a text',
    ],
    [{ prefix: 'x' }, 's3Files: prefix is not an option; the options are bucket, region, credentials'],
  ]
  for (const [change, message] of wrong) {
    const make = () => s3Files({ ...options, ...change } as S3FilesOptions)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    expect(make).not.toThrow(/a-secret/)
  }
})

test('s3Files checks the credentials that a function returns', async () => {
  const files = s3Files({ ...options, credentials: () => ({ accessKeyId: 'KEYID' }) as never })
  await expect(files.link?.('a', Date.now())).rejects.toThrow(
    's3Files: credentials().secretAccessKey must be a text with at least one character',
  )
})

test('s3Files copies links with the option fetch, and copies none without it', () => {
  const fetch = () => Promise.reject(new Error('offline'))
  expect(s3Files({ ...options, fetch }).fetch).toBe(fetch)
  expect(s3Files(options)).not.toHaveProperty('fetch')
})

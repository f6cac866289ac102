// @module-tag needs/swift
import { beforeEach, expect, test } from 'vitest'
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { manualClock } from '@genmount/testing'
import { listen } from '../loopback.ts'
import { refusing, scriptedServer } from './servers/scripted-server.ts'
import { type BucketServer, verifyingServer } from './servers/verifying-server.ts'

let server: BucketServer
let options: S3FilesOptions

beforeEach(async () => {
  server = await verifyingServer()
  options = await server.createBucket()
})

test('ready leaves no object and no upload in the bucket', async () => {
  await s3Files(options).ready?.()
  expect(await server.objectsIn(options.bucket)).toEqual([])
  expect(await server.uploadsIn(options.bucket)).toEqual([])
})

const accessKeyId = 'test:tester'
test.each([
  ['there is no such bucket (NoSuchBucket)', { bucket: 'elsewhere' }],
  [
    'the secret access key does not belong to the access key (SignatureDoesNotMatch)',
    { credentials: { accessKeyId, secretAccessKey: 'a-wrong-secret' } },
  ],
  [
    'the bucket is not in the region of the option region (AuthorizationHeaderMalformed)',
    { region: 'eu-central-1' },
  ],
  [
    'the clock of this machine is wrong by more than 15 minutes (RequestTimeTooSkewed)',
    { clock: manualClock(Date.now() - 3_600_000) },
  ],
] as const)('ready rejects with words when %s', async (words, change: Partial<S3FilesOptions>) => {
  const { bucket, ...rest } = { ...options, ...change }
  const failure: unknown = await s3Files({ bucket, ...rest })
    .ready?.()
    .catch((error: unknown) => error)
  expect(failure).toHaveProperty('message', `Files in bucket ${bucket}: ${words}.`)
})

test.each([
  ['s3:PutObject', 'PUT'],
  ['s3:GetObject', 'GET'],
  ['s3:PutObject', 'POST'],
  ['s3:AbortMultipartUpload', 'DELETE ~ready?uploadId'],
  ['s3:DeleteObject', 'DELETE'],
])(
  'ready tries the right %s with a %s request, and names the right when the server refuses it',
  async (right, refused) => {
    const scripted = await scriptedServer((request) =>
      request.replace(/~ready-[^?]*/, '~ready').startsWith(refused)
        ? refusing(403, 'AccessDenied')
        : undefined,
    )
    await expect(s3Files(scripted.options).ready?.()).rejects.toThrow(
      `Files in bucket outputs: the access key lacks the right ${right} (AccessDenied).`,
    )
  },
)

test.each([
  [403, 'InvalidAccessKeyId', 'the server does not know this access key'],
  [301, 'PermanentRedirect', 'the bucket is not in the region of the option region'],
  [400, 'InvalidToken', 'the session token of the credentials is wrong or has expired'],
  [418, 'Teapot', 'the server has answered 418'],
])('ready puts the answer %i %s of the server into words', async (status, code, words) => {
  const scripted = await scriptedServer(() => refusing(status, code))
  await expect(s3Files(scripted.options).ready?.()).rejects.toThrow(
    `Files in bucket outputs: ${words} (${code}).`,
  )
})

test("when the S3 server can't be reached, ready rejects with the bucket and the reason", async () => {
  const { origin, stop } = await listen(() => {})
  await stop()
  const gone = s3Files({ ...options, endpoint: origin })
  await expect(gone.ready?.()).rejects.toThrow(
    /^Files in bucket outputs-[0-9a-f-]+: the server can't be reached \(ECONNREFUSED\)\.$/,
  )
})

test('no error of s3Files contains a secret, also when the answer of the server does', async () => {
  const echo =
    '<Code>SignatureDoesNotMatch</Code><CanonicalRequest>a-secret-key a-session-token</CanonicalRequest>'
  for (const body of [
    echo,
    'a-secret-key',
    '<Code>a-secret-key</Code>',
    `<Message>a-session-token</Message>`,
  ]) {
    const { options: secret } = await scriptedServer(() => ({ status: 403, body: `<Error>${body}</Error>` }))
    const failure = (await s3Files(secret)
      .ready?.()
      .catch((error: unknown) => error)) as Error
    expect(failure).toBeInstanceOf(Error)
    expect(JSON.stringify([failure.message, failure.stack, { ...failure }])).not.toMatch(/a-secret|a-session/)
  }
})

test('s3Files calls the option credentials before each request, and signs with what it returns then', async () => {
  let asked = 0
  const credentials = async () => {
    asked++
    return { accessKeyId, secretAccessKey: asked === 1 ? 'testing' : 'a-wrong-secret' }
  }
  const files = s3Files({ ...options, credentials })
  await files.put('first', new Uint8Array(1), 'image/png')
  await expect(files.put('second', new Uint8Array(1), 'image/png')).rejects.toThrow('SignatureDoesNotMatch')
  expect(asked).toBe(2)
})

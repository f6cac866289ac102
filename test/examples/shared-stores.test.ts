// @module-tag needs/redis
// @module-tag needs/swift
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVerifyingServer, type VerifyingServer } from '../files-s3/servers/verifying-server.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { type RedisServer, startRedis } from '../scheduler-bullmq/redis-server.ts'
import { create, listening, signalled } from './standalone-server.ts'

let bucketServer: VerifyingServer
let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  bucketServer = await startVerifyingServer()
  return () => redis.stop()
})
afterAll(() => bucketServer?.stop())

test('two standalone servers share jobs in Postgres, wake-ups in Redis and files in a bucket', async () => {
  const { bucket, region, credentials } = await bucketServer.createBucket()
  const { accessKeyId, secretAccessKey } = credentials as { accessKeyId: string; secretAccessKey: string }
  const env = {
    DATABASE_URL: await databaseOfFile(),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    S3_BUCKET: bucket,
    S3_ENDPOINT: bucketServer.endpoint,
    S3_REGION: region ?? '',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const [one, other] = await Promise.all([listening(env), listening(env)])
  const input = { model: 'procedural-image', prompt: 'a lighthouse', resolution: '480p' }
  const { status, job } = await create(`${one.baseUrl}/v1/generate?wait=true`, input)
  expect([status, job.status]).toEqual([200, 'completed'])

  const file = await fetch(`${other.baseUrl}/v1/files/${job.id}`, {
    headers: { authorization: 'Bearer dev-key' },
    redirect: 'manual',
  })
  const location = file.headers.get('location') ?? ''
  expect(location).toContain(bucketServer.endpoint)
  const picture = await fetch(location)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])

  for (const server of [one, other]) expect((await signalled(server.process, 'SIGTERM')).exit).toBe(0)
})

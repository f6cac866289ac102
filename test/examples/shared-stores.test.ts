// @module-tag needs/redis
// @module-tag needs/swift
import { expect, test } from 'vitest'
import { verifyingServer } from '../files-s3/servers/verifying-server.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { redisOfTest } from '../scheduler-bullmq/redis-server.ts'
import { create, listening, signalled } from './standalone-server.ts'

test('two standalone servers share jobs in Postgres, wake-ups in Redis and files in a bucket', async () => {
  const redis = await redisOfTest()
  const { endpoint, createBucket } = await verifyingServer()
  const { bucket, region, credentials } = await createBucket()
  const env = {
    DATABASE_URL: await databaseOfFile(),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
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
  expect(location).toContain(endpoint)
  const picture = await fetch(location)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])

  for (const server of [one, other]) expect((await signalled(server.process, 'SIGTERM')).exit).toBe(0)
})

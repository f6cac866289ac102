// @module-tag needs/swift
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileStoreSuite } from '@genmount/testing'
import { runProgram } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { verifyingServer } from './servers/verifying-server.ts'

test('the test in the README of files-s3 runs every case of the suite in one bucket, and leaves the bucket empty', async () => {
  const server = await verifyingServer()
  const options = await server.createBucket()
  const { accessKeyId, secretAccessKey } = options.credentials
  const [node, ...flags] = runtimes.node
  const args = [...flags, '--test', '--test-reporter=tap', join(import.meta.dirname, 'own-bucket.ts')]
  const env = {
    NODE_OPTIONS: '--conditions=@genmount/source',
    S3_TEST_BUCKET: options.bucket,
    S3_REGION: options.region,
    S3_ENDPOINT: options.endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const { stdout } = await runProgram([node, ...args], { env })
  expect(stdout.match(/^not ok .*$/gm)).toBeNull()
  const notCreated = () => Promise.reject(new Error('Only the names are of interest.'))
  for (const [index, name] of Object.keys(fileStoreSuite(notCreated)).entries())
    expect(stdout).toContain(`ok ${index + 1} - ${name}\n`)
  expect(stdout).toContain('# skipped 0')
  expect(await server.objectsIn(options.bucket)).toEqual([])
  expect(await server.uploadsIn(options.bucket)).toEqual([])
})

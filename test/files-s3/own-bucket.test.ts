// @module-tag needs/swift
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fileStoreSuite } from '@genmount/testing'
import { runtimes } from '../processes/runtimes.ts'
import { startVerifyingServer } from './servers/verifying-server.ts'

test('the lines of the README try every promise of the store in one bucket, and leave the bucket empty', async ({
  onTestFinished,
}) => {
  const server = await startVerifyingServer()
  onTestFinished(() => server.stop())
  const options = await server.createBucket()
  if (typeof options.credentials === 'function') throw new Error('The server of the tests has fixed keys.')
  const { accessKeyId, secretAccessKey } = options.credentials
  const [node, ...flags] = runtimes.node
  const args = [...flags, '--test', '--test-reporter=tap', join(import.meta.dirname, 'own-bucket.ts')]
  const env = {
    ...process.env,
    NODE_OPTIONS: '--conditions=@genmount/source',
    S3_TEST_BUCKET: options.bucket,
    S3_REGION: options.region,
    S3_ENDPOINT: options.endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const { stdout } = await promisify(execFile)(node, args, { env }).catch(
    (failed: { readonly stdout: string }) => failed,
  )
  expect(stdout.match(/^not ok .*$/gm)).toBeNull()
  const notCreated = () => Promise.reject(new Error('Only the names are of interest.'))
  for (const [index, name] of Object.keys(fileStoreSuite(notCreated)).entries())
    expect(stdout).toContain(`ok ${index + 1} - ${name}\n`)
  expect(stdout).toContain('# skipped 0')
  expect(await server.objectsIn(options.bucket)).toEqual([])
  expect(await server.uploadsIn(options.bucket)).toEqual([])
})

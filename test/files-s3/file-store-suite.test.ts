// @module-tag needs/swift
import { afterAll, beforeAll, describe, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'
import { startVerifyingServer, type VerifyingServer } from './servers/verifying-server.ts'

let server: VerifyingServer
beforeAll(async () => {
  server = await startVerifyingServer()
})
afterAll(() => server.stop())

const suite = fileStoreSuite(async () => {
  const options = await server.createBucket()
  return {
    files: s3Files(options),
    unusable: () => s3Files({ ...options, bucket: 'no-such-bucket' }),
  }
})

describe('files in a bucket', () => {
  for (const [name, run] of Object.entries(suite)) test(name, run)
})

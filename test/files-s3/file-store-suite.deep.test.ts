// @module-tag needs/swift
import { describe, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'
import { verifyingServer } from './servers/verifying-server.ts'

const suite = fileStoreSuite(async () => {
  const options = await (await verifyingServer()).createBucket()
  return {
    files: s3Files(options),
    unusable: () => s3Files({ ...options, bucket: 'no-such-bucket' }),
  }
})

describe('files in a bucket', () => {
  for (const [name, run] of Object.entries(suite)) test.concurrent(name, run)
})

// @module-tag needs/swift
import { s3Files } from '@genmount/files-s3'
import { promisesWith, testHttpSuite } from '../conformance/test-http-suite.ts'
import { verifyingServer } from './servers/verifying-server.ts'

async function open() {
  const { endpoint, createBucket } = await verifyingServer()
  return { options: { files: s3Files(await createBucket()) }, linksTo: endpoint }
}

testHttpSuite('with outputs in a bucket', open, promisesWith('http://127.0.0.1'))

// @module-tag needs/swift
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService, type FileFetch } from '@genmount/core'
import { s3Files } from '@genmount/files-s3'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import { promisesWith, testHttpSuite } from '../conformance/test-http-suite.ts'
import { listen } from '../loopback.ts'
import { verifyingServer } from './servers/verifying-server.ts'

async function open() {
  const { endpoint, createBucket } = await verifyingServer()
  return { options: { files: s3Files(await createBucket()) }, linksTo: endpoint }
}

const promises = promisesWith('http://127.0.0.1')

test('the /v1 suite leaves out at most 16 cases for a bucket: those that the bucket does in place of the service', () => {
  const all = promisesWith()
  expect(all.filter((promise) => !promises.includes(promise)).length).toBeLessThanOrEqual(16)
})

// What does not concern files is the same with any file store. The deep suite tests it with a bucket nevertheless.
const aboutFiles = /\b(file|output|upload|video|expired|delete)/i
testHttpSuite(
  'with outputs in a bucket',
  open,
  promises.filter((promise) => aboutFiles.test(promise)),
)

test('an output that a provider gives as a link is copied into the bucket, and clients are redirected to the bucket', async () => {
  const verifying = await verifyingServer()
  const { bytes } = fakeFile('video')
  const fetch: FileFetch = async () => ({ body: new Blob([bytes]).stream() })
  const files = s3Files({ ...(await verifying.createBucket()), fetch })
  const service = createGenerationService({ providers: [fakeProvider()], files, log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const input = { prompt: 'a kite', output_urls: ['https://vendor.test/film.mp4'] }
  let { job } = await service.create({ owner: 'alice', model: 'fake-video', input })
  while (job.outputs[0]?.fileKey === undefined) {
    await sleep(50)
    job = await service.get(job.id, 'alice')
  }
  const server = await listen(toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
  onTestFinished(server.stop)
  const headers = { authorization: 'Bearer alice-key' }
  const reply = await globalThis.fetch(`${server.origin}/v1/files/${job.id}`, { headers })
  expect(reply.redirected && reply.url).toContain(`${verifying.endpoint}/`)
  expect(reply.headers.get('content-disposition')).toBe('inline; filename="fake-video-a-kite-1.mp4"')
  expect(await reply.bytes()).toEqual(bytes)
})

// @module-tag needs/swift
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createGenerationService, type FileFetch } from '@genmount/core'
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import { httpExtensionSuite, httpSuite, httpSuiteService } from '@genmount/testing/http'
import { listen, type LoopbackServer } from '../loopback.ts'
import { startVerifyingServer, type VerifyingServer } from './servers/verifying-server.ts'

vi.setConfig({ maxConcurrency: 8 })

let verifying: VerifyingServer
let options: S3FilesOptions
let node: LoopbackServer
let suite: ReturnType<typeof httpSuite>

beforeAll(async () => {
  verifying = await startVerifyingServer()
  options = await verifying.createBucket()
  const { service, options: mount, keys } = httpSuiteService({ files: s3Files(options) })
  await service.ready()
  node = await listen(toNodeHandler(service, { ...mount, authenticate: apiKeys(keys) }))
  const bucket = { baseUrl: node.origin, keys, linksTo: verifying.endpoint }
  suite = { ...httpSuite(bucket), ...uploadCases(httpExtensionSuite(bucket)) }
})
afterAll(async () => {
  await node?.stop()
  await verifying?.stop()
})

const subject = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }
const basePromises = Object.keys(httpSuite({ ...subject, linksTo: 'http://127.0.0.1' }))
const promises = [...basePromises, ...Object.keys(uploadCases(httpExtensionSuite(subject)))]

/** The cases about uploads, of which the bucket takes care. */
function uploadCases(all: ReturnType<typeof httpExtensionSuite>): ReturnType<typeof httpSuite> {
  return Object.fromEntries(Object.entries(all).filter(([promise]) => promise.includes('upload')))
}

test('the suite leaves out only what the bucket does in place of the service', () => {
  expect(Object.keys(httpSuite(subject)).length - basePromises.length).toBeLessThanOrEqual(16)
})

test.concurrent.each(promises)('with outputs in a bucket: %s', (promise) => suite[promise]?.())

test('an output is copied from its link into the bucket, and its client is sent there', async () => {
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
  expect(reply.headers.get('content-disposition')).toBe(`inline; filename="${job.id}-0.mp4"`)
  expect(await reply.bytes()).toEqual(bytes)
})

import { s3Files } from '@genmount/files-s3'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpExtensionSuite, httpSuite, httpSuiteService } from '@genmount/testing/http'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { listen, type LoopbackServer } from '../loopback.ts'
import { verifyingServer } from './servers/verifying-server.ts'

type HttpSuite = ReturnType<typeof httpSuite>

const nowhere = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' }, linksTo: 'http://127.0.0.1' }

/** The promises of the /v1 interface that a service keeps with its outputs in a bucket. */
export const promises = Object.keys(suiteOn(nowhere))

function suiteOn(subject: Parameters<typeof httpSuite>[0]): HttpSuite {
  // Of the extensions those about uploads, of which the bucket takes care.
  const extensions = Object.entries(httpExtensionSuite(subject))
  const uploads = extensions.filter(([promise]) => promise.includes('upload'))
  return { ...httpSuite(subject), ...Object.fromEntries(uploads) }
}

/** Tests promises of the /v1 interface on a service with its outputs in a bucket. */
export function testWithBucket(chosen: readonly string[]): void {
  vi.setConfig({ maxConcurrency: 8 })
  let node: LoopbackServer
  let suite: HttpSuite
  beforeAll(async () => {
    const { endpoint, createBucket } = await verifyingServer()
    const { service, options, keys } = httpSuiteService({ files: s3Files(await createBucket()) })
    await service.ready()
    node = await listen(toNodeHandler(service, { ...options, authenticate: apiKeys(keys) }))
    suite = suiteOn({ baseUrl: node.origin, keys, linksTo: endpoint })
  })
  afterAll(() => node?.stop())

  test.concurrent.each(chosen)('with outputs in a bucket: %s', (promise) => suite[promise]?.())
}

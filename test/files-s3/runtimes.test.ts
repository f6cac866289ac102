// @module-tag needs/swift
import { expect, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { verifyingServer } from './servers/verifying-server.ts'

test.concurrent.each(['deno', 'bun'] as const)(
  's3Files passes the conformance suite of file stores on %s, and the process ends by itself',
  (runtime) => suitesHoldOn(runtime, new URL('suite-on-runtime.ts', import.meta.url), 'light'),
)

test('50 MB that break off halfway leave neither an object nor an upload nor a part in the bucket', async () => {
  const server = await verifyingServer()
  const options = await server.createBucket()
  const broken = new Error('socket hang up')
  let chunks = 0
  let uploads: string[] = []
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (++chunks < 25) return controller.enqueue(new Uint8Array(1_000_000).fill(chunks))
      uploads = await server.uploadsIn(options.bucket)
      controller.error(broken)
    },
  })
  await expect(s3Files(options).put('film', body, 'video/mp4')).rejects.toBe(broken)
  expect(uploads).toEqual(['film'])
  expect(await server.uploadsIn(options.bucket)).toEqual([])
  expect(await server.partsIn(options.bucket)).toEqual([])
  expect(await server.objectsIn(options.bucket)).toEqual([])
})

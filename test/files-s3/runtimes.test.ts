// @module-tag needs/swift
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { fileStoreSuite } from '@genmount/testing'
import { printedBy } from '../processes/run-program.ts'
import { startVerifyingServer, type VerifyingServer } from './servers/verifying-server.ts'

let server: VerifyingServer
beforeAll(async () => {
  server = await startVerifyingServer()
})
afterAll(() => server.stop())

const script = (name: string) => new URL(name, import.meta.url)
const neverCreated = () => {
  throw new Error('Only the names are of interest.')
}
const cases = Object.keys(fileStoreSuite(neverCreated)).length

test.each(['deno', 'bun'] as const)(
  'a store in a bucket keeps every promise of the contract, on %s',
  async (runtime) => {
    const buckets = []
    while (buckets.length < cases) buckets.push(await server.createBucket())
    const options = { args: [JSON.stringify(buckets)], timeoutMs: 170_000 }
    expect(await printedBy(runtime, script('suite-on-runtime.ts'), options)).toEqual({ cases, failing: [] })
  },
)

test.each(['node', 'deno', 'bun'] as const)(
  '200 MB stored from a stream come back whole, and raise memory by less than 100 MB, on %s',
  async (runtime) => {
    const options = { args: [JSON.stringify(await server.createBucket())], timeoutMs: 170_000 }
    const printed = (await printedBy(runtime, script('large-film.ts'), options)) as { raisedMB: number }
    expect(printed).toMatchObject({ status: 200, isSame: true })
    expect(printed.raisedMB).toBeLessThan(100)
  },
)

test('50 MB that break off halfway leave neither an object nor an upload nor a part', async () => {
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

import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { forWorkers, workerOf } from './bundled-worker.ts'

/** A worker with core, the fetch handler, a provider, guardedFetch and files in R2, as one minified file. */
let script: string

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'typical-worker.ts')]
  const { outputFiles } = await build({ ...forWorkers, entryPoints, minify: true })
  script = outputFiles[0]!.text
})

test('a typical worker takes at most the 120 kB (gzipped) that the page about mounting promises', async () => {
  // Cloudflare's limit was 3 MB of these (free) and 10 MB (paid), and since 2026 it is 64 MiB before compression.
  // https://developers.cloudflare.com/workers/platform/limits/ (2026-11-27)
  expect(gzipSync(script, { level: 9 }).byteLength).toBeLessThanOrEqual(120_000)
})

test('a typical worker answers in workerd', async () => {
  const bindings = { KEY_OF_ALICE: 'key-of-alice', REPLICATE_TOKEN: 'r8_token' }
  const worker = workerOf(script, { bindings, r2Buckets: ['OUTPUTS'] })
  const headers = { authorization: 'Bearer key-of-alice' }
  const answer = await worker.dispatchFetch('https://media.example.com/v1/models', { headers })
  expect(await answer.json()).toMatchObject({ data: [{ id: 'flux' }] })
  await worker.dispose()
})

const measure = `
  const before = process.cpuUsage()
  await import(process.argv[1])
  const { user, system } = process.cpuUsage(before)
  console.log((user + system) / 1000)`

test('to load a typical worker takes less than 50 ms of CPU time of all threads in a fresh process of V8', async () => {
  // Cloudflare allows a second since 2025-10-10: https://developers.cloudflare.com/changelog/2025-10-10-increased-startup-time
  const file = join(temporaryFolder(), 'worker.mjs')
  writeFileSync(file, script)
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    times.push(Number(await outputOf([process.execPath, '--input-type=module', '-e', measure, file])))
  // The least, because other processes of a busy machine slow this one down, and nothing speeds it up.
  expect(Math.min(...times)).toBeLessThan(50)
  expect(Math.min(...times)).toBeGreaterThan(0)
})

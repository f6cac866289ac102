import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { start } from '../../examples/started-server.ts'
import { runtimes } from '../../processes/runtimes.ts'
import { token } from './openai-errors.ts'
import { openaiFake } from './openai-fake.ts'

const program = join(import.meta.dirname, 'processes/responses-server.ts')
const headers = { authorization: 'Bearer alice-key', 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'gpt-image-2', prompt: 'a fox' })
const wide = { timeout: 60_000, interval: 20 }

async function world() {
  const fake = await openaiFake()
  const folder = mkdtempSync(join(tmpdir(), 'genmount-'))
  onTestFinished(async () => {
    await fake.close()
    rmSync(folder, { recursive: true })
  })
  const env = { OPENAI_API_KEY: token, VENDOR: fake.baseUrl, JOBS_FILE: join(folder, 'jobs.db') }
  return {
    fake,
    async serve() {
      const server = start([...runtimes.node, program], env)
      const [, port = ''] = await server.heard(/^port (\d+)$/m)
      const base = `http://127.0.0.1:${port}/v1`
      const jobAt = async (path: string, init = {}) =>
        (await (await fetch(`${base}${path}`, { headers, ...init })).json()) as Record<string, unknown>
      return {
        create: async () => String((await jobAt('/generate', { method: 'POST', body }))['id']),
        ended: (id: string) =>
          vi.waitFor(async () => {
            const job = await jobAt(`/jobs/${id}`)
            expect(job['status']).not.toBe('processing')
            return job
          }, wide),
        async kill() {
          server.process.kill('SIGKILL')
          await server.exited
        },
      }
    },
  }
}

test('a process that is killed while OpenAI works leaves a job that the next process finishes, paid for once', async () => {
  const { fake, serve } = await world()
  const first = await serve()
  const id = await first.create()
  // A first look at the response means that its id is stored.
  await vi.waitFor(() => expect(fake.requests.some(({ method }) => method === 'GET')).toBe(true), wide)
  await first.kill()
  const job = await (await serve()).ended(id)
  expect(job).toMatchObject({ status: 'completed', error: null })
  expect(fake.responses.ledger).toHaveLength(1)
})

test('a process that is killed before the answer to its submit arrives leaves a job that is not paid for again', async () => {
  const { fake, serve } = await world()
  fake.trouble('/responses', { after: 'hold' })
  const first = await serve()
  const id = await first.create()
  await fake.requested(1)
  await first.kill()
  const job = await (await serve()).ended(id)
  expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(/^submit_ambiguous/) })
  expect(fake.responses.ledger).toHaveLength(1)
})

import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { repo } from '../processes/repo.ts'
import { headers, isPng } from '../projects/project-life.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const secret = 'the-secret-of-the-cron'

test('the routes of the example for Vercel create a job, end it by the cron, and refuse a cron without the secret', async () => {
  const variables = {
    ALICE_KEY: headers.authorization.replace('Bearer ', ''),
    CRON_SECRET: secret,
    DATABASE_URL: await databaseOfFile(),
    FILES_FOLDER: temporaryFolder(),
  }
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  type Route = Record<string, (request: Request) => Promise<Response>>
  const load = (file: string): Promise<Route> => import(join(repo, 'examples/vercel', file))
  const v1 = await load('app/v1/[[...path]]/route.ts')
  const cron = await load('app/api/cron/route.ts')
  const ask = (method: string, path: string, body?: object) =>
    v1[method]!(
      new Request(new URL(path, 'http://localhost:3000'), {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const callCron = (authorization: string) =>
    cron['GET']!(new Request('http://localhost:3000/api/cron', { headers: { authorization } }))

  const picture = {
    model: 'procedural-image',
    prompt: 'a lighthouse',
    resolution: '480p',
    simulate_latency_ms: 2000,
  }
  const created = await ask('POST', '/v1/generate', picture)
  expect(created.status).toBe(202)
  const { id } = await created.json()
  expect((await callCron('Bearer another-secret-of-the-cron')).status).toBe(401)
  await expect
    .poll(async () => (await (await callCron(`Bearer ${secret}`)).json()).next_at, { timeout: 30_000 })
    .toBe(null)
  const job = await (await ask('GET', `/v1/jobs/${id}`)).json()
  expect(job).toMatchObject({ status: 'completed' })
  const { headers: answered } = await ask('GET', job.data[0].url)
  const file = await ask('GET', answered.get('location') ?? '')
  expect(isPng(await file.bytes())).toBe(true)
})

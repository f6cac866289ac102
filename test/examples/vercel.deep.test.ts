import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { run } from '../packaging/run.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { repo } from '../processes/repo.ts'
import { startProcess } from '../processes/start-process.ts'
import { installProject } from '../projects/install-project.ts'
import { env, headers, isPng, nextCommand, portOf } from '../projects/project-life.ts'
import { until } from '../until.ts'

const example = join(repo, 'examples/vercel')
const cronSecret = 'the-secret-of-the-cron'

test('the example for Vercel ends a job by its cron, although the instance that took the job has died and nobody asks for it', async () => {
  const folder = await installProject(example)
  await run(folder, nextCommand('build'))
  const DATABASE_URL = await databaseOfFile()
  const start = async () => {
    const server = startProcess(nextCommand('start'), {
      cwd: folder,
      env: { ...env, DATABASE_URL, CRON_SECRET: cronSecret, FILES_FOLDER: join(folder, 'files') },
    })
    return { server, origin: `http://127.0.0.1:${await portOf(server)}` }
  }

  const first = await start()
  const created = await fetch(`${first.origin}/v1/generate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'procedural-image', prompt: 'a lighthouse', simulate_latency_ms: 3000 }),
  })
  const { id } = await created.json()
  expect(created.status, first.server.output).toBe(202)
  await first.server.kill()

  const { crons } = JSON.parse(readFileSync(join(example, 'vercel.json'), 'utf8'))
  const { server, origin } = await start()
  const callCron = (authorization: string) =>
    fetch(`${origin}${crons[0].path}`, { headers: { authorization } })
  expect((await callCron('Bearer another-secret-of-the-cron')).status).toBe(401)
  let answer: { readonly next_at: string | null } | undefined
  await until(async () => {
    await delay(1000)
    const response = await callCron(`Bearer ${cronSecret}`)
    answer = await response.json()
    return answer?.next_at === null
  })
  const job = await (await fetch(`${origin}/v1/jobs/${id}`, { headers })).json()
  expect(job, server.output).toMatchObject({ status: 'completed' })
  const file = await fetch(job.data[0].url, { headers })
  expect(isPng(await file.bytes())).toBe(true)
})

// @module-tag needs/sqlite3
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { create, headers, listening, read } from '../../examples/standalone-server.ts'
import { repo } from '../../processes/repo.ts'
import { runProgram } from '../../processes/run-program.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { until } from '../../until.ts'

/** The commands of the page. */
function backupCommands(): string {
  const page = readFileSync(join(repo, 'packages/docs/pages/keep-jobs.md'), 'utf8')
  return /^## Backups\n.*?^```sh\n(.*?)^```/ms.exec(page)?.[1] ?? ''
}

async function digestOf(url: string): Promise<string> {
  const reply = await fetch(url, { headers })
  expect(reply.status).toBe(200)
  return createHash('sha256')
    .update(await reply.bytes())
    .digest('hex')
}

test('a copy of a DATA_DIR by the commands of the page about backups, made while the server works, has each job that was acknowledged before, and its files', async () => {
  const folder = temporaryFolder()
  const working = await listening({ DATA_DIR: join(folder, 'data'), ALLOW_SIMULATION: '1' })
  const acknowledged: string[] = []
  const over = new AbortController()
  async function createJobs(latency: number): Promise<void> {
    const input = { model: 'procedural-image', resolution: '480p', simulate_latency_ms: latency }
    for (let count = 0; !over.signal.aborted; count++) {
      const prompt = `a forest, ${latency} and ${count}`
      const { status, job } = await create(`${working.baseUrl}/v1/generate`, { ...input, prompt })
      expect(status).toBe(202)
      acknowledged.push(job.id)
      await delay(100)
    }
  }
  // Some jobs have finished when the copy is made, and others are at their provider or wait.
  const clients = [0, 100, 3000].map(createJobs)
  onTestFinished(() => over.abort())
  const jobAt = ({ baseUrl }: { readonly baseUrl: string }, id: string) => read(`${baseUrl}/v1/jobs/${id}`)
  const isDone = async (id = '') => (await jobAt(working, id)).status === 'completed'
  await until(() => acknowledged.length >= 15)
  await until(() => isDone(acknowledged[0]), 30_000)
  const before = [...acknowledged]
  const { exit, stderr } = await runProgram(['sh', '-c', backupCommands()], { cwd: folder })
  if (exit !== 0) expect(stderr).toMatch(/^(cp: .*No such file or directory\n)+$/)
  // The clients go on: on a quick machine the copy may be made between two of their jobs.
  await until(() => acknowledged.length > before.length)
  over.abort()
  await Promise.all(clients)
  const done = await Promise.all(before.map(isDone))
  expect(new Set(done)).toEqual(new Set([true, false]))
  const digests = new Map(
    await Promise.all(
      before
        .filter((_, index) => done[index])
        .map(async (id) => [id, await digestOf(`${working.baseUrl}/v1/files/${id}`)] as const),
    ),
  )
  await working.process.kill()

  const restored = await listening({ DATA_DIR: join(folder, 'backup'), ALLOW_SIMULATION: '1' })
  for (const id of before) {
    await until(async () => (await jobAt(restored, id)).status === 'completed', 60_000)
    const digest = await digestOf(`${restored.baseUrl}/v1/files/${id}`)
    expect(digest).toBe(digests.get(id) ?? digest)
  }
})

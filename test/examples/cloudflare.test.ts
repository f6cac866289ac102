import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { isPng } from '../projects/project-life.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))
const headers = { authorization: 'Bearer dev-key', 'content-type': 'application/json' }

/** Starts the example with the command of `npm run workers`. */
async function startWorkers(folder: string) {
  const [, , ...args] = (scripts.workers as string).split(' ')
  const process = startProcess([runtimes.node[0], ...args], { env: { PORT: '0', DATA_DIR: folder } })
  // workerd would outlive a process that is killed.
  onTestFinished(async () => {
    process.child.kill('SIGTERM')
    await process.ended
  })
  const [, origin = ''] = await process.heard(/listens on (\S+)\n/)
  return { process, origin }
}

async function expectPicture(url: string) {
  const file = await fetch(url, { headers })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(isPng(await file.bytes())).toBe(true)
}

test('npm run workers shows the page and makes a picture in the object of its owner, and after a restart both the picture and a job in progress are there', async () => {
  const folder = temporaryFolder()
  const first = await startWorkers(folder)
  const create = async (query: string) => {
    const body = JSON.stringify({ model: 'sunset-image', prompt: 'a lighthouse at dawn' })
    const created = await fetch(`${first.origin}/v1/generate${query}`, { method: 'POST', headers, body })
    return { status: created.status, job: await created.json() }
  }
  const page = await fetch(first.origin)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(await page.text()).toContain('<title>Playground</title>')
  for (const [path, key] of [
    ['/v1/models', ''],
    ['/v1/models', 'Bearer another-key'],
    ['/owners/dev/v1/models', 'Bearer another-key'],
  ] as const)
    expect((await fetch(first.origin + path, { headers: { authorization: key } })).status).toBe(401)
  expect((await fetch(`${first.origin}/owners/carol/v1/models`, { headers })).status).toBe(404)

  const done = await create('?wait=true')
  expect([done.status, done.job.status]).toEqual([200, 'completed'])
  await expectPicture(done.job.data[0].url)
  const started = await create('')
  expect(started.status).toBe(202)
  first.process.child.kill('SIGTERM')
  await first.process.ended

  const second = await startWorkers(folder)
  const read = async (id: string) =>
    (await fetch(`${second.origin}/v1/jobs/${id}`, { headers })).json() as Promise<{
      status: string
      data: { url: string }[]
    }>
  for (const { job } of [done, started]) {
    await expect.poll(async () => (await read(job.id)).status).toBe('completed')
    await expectPicture((await read(job.id)).data[0]!.url)
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../packaging/run.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { installProject } from './install-project.ts'
import { bundled, testProjects } from './packed-projects.ts'
import { denoRights, expectImage, filmInput, headers, image, isPng, waitForFilm } from './project-life.ts'

// The deep suite builds and starts all other projects. `test/packaging` runs one on node:http, and `test/examples` an app of
// Express from source.
testProjects('bun', 'deno')

test('Deno without a permission that the README names: ready() says which flag is missing', async () => {
  const folder = await installProject('deno')
  const rights = denoRights.filter((right) => right !== '--allow-ffi')
  expect(await run(folder, [runtimes.deno[0], 'run', '--no-prompt', ...rights, 'ready.ts'])).toMatch(
    /^The provider procedural is not ready: .*run again with the --allow-ffi flag/,
  )
})

test('the route of the Next.js project makes an image, and keeps its service when Next.js loads its file again', async () => {
  vi.stubEnv('ALICE_KEY', headers.authorization.replace('Bearer ', ''))
  onTestFinished(() => void vi.unstubAllEnvs())
  const load = (file: string) => import(new URL(`./next/${file}`, import.meta.url).href)
  const { service } = (await load('media.ts?first')).media()
  onTestFinished(() => service.close())
  const route: Record<string, (request: Request) => Promise<Response>> = await load(
    'app/media/v1/[...path]/route.ts',
  )
  const ask = (method: string, url: string, body?: string) =>
    route[method]!(new Request(url, { method, headers, ...(body !== undefined && { body }) }))
  const url = 'http://localhost:3000/media/v1/generate?wait=true'
  const job = await (await ask('POST', url, JSON.stringify(image))).json()
  expect(job).toMatchObject({
    status: 'completed',
    urls: { get: `http://localhost:3000/media/v1/jobs/${job.id}` },
  })
  const { headers: answered } = await ask('GET', job.data[0].url)
  const file = await ask('GET', answered.get('location') ?? '')
  expect(isPng(await file.bytes())).toBe(true)
  expect((await load('media.ts?second')).media().service).toBe(service)
})

test('a worker bundle of packed packages makes an image, and ends within 10 s with a waiter inside', async () => {
  const folder = await installProject('worker')
  await run(folder, bundled('--platform=neutral', '--conditions=workerd,worker,browser', 'worker.ts'))
  const worker = new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, 'dist/worker.js'),
    compatibilityDate: '2026-07-01',
  })
  onTestFinished(() => worker.dispose().catch(() => {}))
  const base = String(await worker.ready).replace(/\/$/, '')
  await expectImage(base, { model: 'hosted-image', prompt: 'a lighthouse at dawn' })
  const { answer } = await waitForFilm(base, { model: 'hosted-video', prompt: 'the sea at night' })
  const isCut = expect(answer).rejects.toThrow('fetch failed')
  const disposedAt = performance.now()
  await worker.dispose()
  expect(performance.now() - disposedAt).toBeLessThan(10_000)
  await isCut
})

test('a script with packed packages and no server makes an image, and ends within 10 s after SIGTERM while it waits', async () => {
  const cwd = await installProject('script')
  const image = startProcess([process.execPath, 'script.ts'], { cwd })
  expect([await image.ended, image.output]).toEqual([0, expect.stringContaining('is completed')])
  expect(isPng(readFileSync(join(cwd, 'output-0')))).toBe(true)
  const film = startProcess([process.execPath, 'script.ts', 'procedural-video', JSON.stringify(filmInput)], {
    cwd,
  })
  await film.heard(/is accepted/)
  const signalledAt = performance.now()
  film.child.kill('SIGTERM')
  expect([await film.ended, film.output]).toEqual([0, expect.stringMatching(/is (submitting|running)/)])
  expect(performance.now() - signalledAt).toBeLessThan(10_000)
})

import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpSuiteService } from '@genmount/testing/http'
import { build as bundle } from 'esbuild'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { clients } from '../client/clients.ts'
import { start } from '../examples/started-server.ts'
import { packPackages } from '../packaging/pack-packages.ts'
import { run } from '../packaging/run.ts'
import { Miniflare } from 'miniflare'
import { runtimes } from '../processes/runtimes.ts'
import { installProject } from './install-project.ts'
import {
  env,
  expectImage,
  headers,
  filmInput,
  liveThrough,
  waitForFilm,
  type ProjectServer,
} from './project-life.ts'

const root = mkdtempSync(join(tmpdir(), 'genmount-projects-'))
const node = process.execPath
const [deno] = runtimes.deno
const [bun] = runtimes.bun
const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild')
let tarballs: ReadonlyMap<string, string>

beforeAll(() => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('NEXT_TELEMETRY_DISABLED', '1')
  tarballs = packPackages(root)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

interface Project extends ProjectServer {
  /** The folder with the source. @default the name of the project */
  readonly source?: string
  /** The commands to run before the server starts. @default none */
  readonly build?: readonly (readonly [program: string, ...args: string[]])[]
}

const bundled = ['--bundle', '--format=esm', '--outdir=dist']
const tsc = 'node_modules/typescript/bin/tsc'
const next = 'node_modules/next/dist/bin/next'
const denoRights = ['--allow-env', '--allow-sys', '--allow-ffi']
const projects: Readonly<Record<string, Project>> = {
  'node-http': { command: [node, 'server.ts'], mount: '' },
  express: { command: [node, 'server.ts'], mount: '/media' },
  fastify: { command: [node, 'server.ts'], mount: '/media' },
  hono: { command: [node, 'server.ts'], mount: '/media' },
  bun: { command: [bun, 'server.ts'], mount: '' },
  deno: { command: [deno, 'serve', '--port=0', '--host=127.0.0.1', ...denoRights, 'server.ts'], mount: '' },
  commonjs: { command: [node, 'server.cjs'], mount: '' },
  'an esbuild bundle': {
    source: 'node-http',
    build: [
      [esbuild, ...bundled, '--platform=node', '--external:@genmount/provider-procedural', 'server.ts'],
    ],
    command: [node, 'dist/server.js'],
    mount: '',
  },
  nest: { build: [[node, tsc, '-p', '.']], command: [node, 'dist/main.js'], mount: '/media', exitCode: null },
  next: {
    build: [[node, next, 'build']],
    command: [node, next, 'start', '--hostname=127.0.0.1'],
    mount: '/media',
  },
}

test.each(Object.entries(projects))(
  '%s: built from packed packages, a project makes an image, and ends soon after SIGTERM with its waiter answered',
  async (name, { source = name, build = [], ...server }) => {
    const folder = installProject(source, join(root, name), tarballs)
    if (name === 'next') await addSuiteRoute(folder)
    for (const [program, ...args] of build) run(program, args, folder)
    expect(await liveThrough(server, folder)).toBeLessThan(10_000)
  },
)

test('deno: the permissions that the README names are enough to be ready, and a missing one is named', () => {
  const folder = installProject('deno', join(root, 'permissions'), tarballs)
  const said = (rights: readonly string[]) => run(deno, ['run', '--no-prompt', ...rights, 'ready.ts'], folder)
  expect(said(denoRights)).toBe('It is ready.\n')
  for (const right of denoRights)
    expect(said(denoRights.filter((other) => other !== right))).toMatch(
      new RegExp(`^The provider procedural is not ready: .*run again with the ${right} flag`),
    )
})

/** Adds a route with the service that the HTTP suite needs, beside the project's own route. */
async function addSuiteRoute(folder: string): Promise<void> {
  await bundle({
    entryPoints: [join(import.meta.dirname, 'suite-route.ts')],
    bundle: true,
    outfile: join(folder, 'app/suite/v1/[...path]/route.js'),
    format: 'esm',
    platform: 'node',
    conditions: ['@genmount/source'],
  })
}

test(
  'next: the client keeps its promises on Node, Bun, Deno and in Chromium',
  { tags: ['needs/chromium'] },
  async () => {
    // The test of all projects has already built this folder.
    const server = start([node, next, 'start', '--hostname=127.0.0.1'], env, join(root, 'next/next'))
    const [, port] = await server.heard(/http:\/\/127\.0\.0\.1:(\d+)/)
    const subject = { baseUrl: `http://127.0.0.1:${port}/suite`, key: httpSuiteService().keys.alice }
    const reports = await Promise.all(Object.values(clients).map((run) => run([subject])))
    expect(reports.flatMap(({ failures }) => failures)).toEqual([])
  },
)

test('next dev keeps the service, and so its jobs, when the files of the app have changed', async () => {
  const folder = installProject('next', join(root, 'next dev'), tarballs)
  const server = start(
    [node, next, 'dev', '--hostname=127.0.0.1'],
    { ...env, NODE_ENV: 'development' },
    folder,
  )
  const [, port] = await server.heard(/http:\/\/127\.0\.0\.1:(\d+)/)
  const url = await expectImage(`http://127.0.0.1:${port}/media`)
  for (const file of ['media.ts', 'app/media/v1/[...path]/route.ts'])
    appendFileSync(join(folder, file), "\nconsole.log('loaded again')\n")
  const statuses = new Set<number>()
  do statuses.add((await fetch(url, { headers })).status)
  while (!server.said().includes('loaded again'))
  statuses.add((await fetch(url, { headers })).status)
  // `next dev` has a child process, which would go on running after a SIGKILL.
  server.process.kill('SIGTERM')
  await server.exited
  expect([...statuses], server.said()).toEqual([200])
})

test('a worker bundle makes an image, and ends soon with a waiter inside', async () => {
  const folder = installProject('worker', root, tarballs)
  run(esbuild, [...bundled, '--platform=neutral', '--conditions=workerd,worker,browser', 'worker.ts'], folder)
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

test('a script without a server makes an image, and ends soon after SIGTERM while it waits', async () => {
  const folder = installProject('script', root, tarballs)
  const image = start([node, 'script.ts'], {}, folder)
  expect([await image.exited, image.said()]).toEqual([0, expect.stringContaining('is completed')])
  expect(readFileSync(join(folder, 'output-0')).subarray(1, 4).toString()).toBe('PNG')
  const film = start([node, 'script.ts', 'procedural-video', JSON.stringify(filmInput)], {}, folder)
  await film.heard(/is accepted/)
  const signalledAt = performance.now()
  film.process.kill('SIGTERM')
  expect([await film.exited, film.said()]).toEqual([0, expect.stringMatching(/is (submitting|running)/)])
  expect(performance.now() - signalledAt).toBeLessThan(10_000)
})

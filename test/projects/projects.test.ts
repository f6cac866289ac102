import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@genmount/client'
import { Miniflare } from 'miniflare'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../packaging/run.ts'
import type { Command } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { installProject } from './install-project.ts'
import {
  denoRights,
  env,
  expectImage,
  filmInput,
  isPng,
  liveThrough,
  nextCommand,
  type ProjectServer,
  waitForFilm,
} from './project-life.ts'

const node = process.execPath
const [deno] = runtimes.deno
const [bun] = runtimes.bun
const tsc = 'node_modules/typescript/bin/tsc'

/** The command that bundles a file of a project into `dist`. */
const bundled = (...args: readonly string[]): Command => [
  createRequire(import.meta.url).resolve('esbuild/bin/esbuild'),
  '--bundle',
  '--format=esm',
  '--outdir=dist',
  ...args,
]

/** A project of this folder that serves `/v1`, and how it is built and started. */
interface Project extends ProjectServer {
  /** The folder with the source. @default the name of the project */
  readonly source?: string
  /** The commands to run before the server starts. @default none */
  readonly build?: readonly Command[]
}

/** Our client makes an image with the server of the Next.js project. */
async function checkClient(origin: string): Promise<void> {
  const client = createClient({ baseUrl: `${origin}/media`, apiKey: 'key-of-alice' })
  const job = await client.generate({ model: 'procedural-image', prompt: 'a kite', resolution: '480p' })
  expect(isPng(await (await client.download(job)).bytes())).toBe(true)
}

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
    build: [bundled('--platform=node', '--external:@genmount/provider-procedural', 'server.ts')],
    command: [node, 'dist/server.js'],
    mount: '',
  },
  nest: {
    build: [[node, tsc, '-p', '.']],
    command: [node, 'dist/main.js'],
    mount: '/media',
    exit: 'SIGTERM',
  },
  next: {
    build: [nextCommand('build')],
    command: nextCommand('start'),
    mount: '/media',
    check: checkClient,
  },
}

test.each(Object.entries(projects))(
  'a project with %s and packed packages makes an image, and ends within 10 s after SIGTERM with its waiter answered',
  async (name, { source = name, build = [], ...server }) => {
    const folder = await installProject(source)
    for (const command of build) await run(folder, command, env)
    await liveThrough(server, folder)
  },
)

test('Deno without a permission that the README names: ready() says which flag is missing', async () => {
  const folder = await installProject('deno')
  const rights = denoRights.filter((right) => right !== '--allow-ffi')
  expect(await run(folder, [deno, 'run', '--no-prompt', ...rights, 'ready.ts'])).toMatch(
    /^The provider procedural is not ready: .*run again with the --allow-ffi flag/,
  )
})

test('the Next.js project keeps its service when Next.js loads its file again', async () => {
  vi.stubEnv('ALICE_KEY', 'key-of-alice')
  onTestFinished(() => void vi.unstubAllEnvs())
  const load = async (query: string) => {
    const { media } = await import(new URL(`./next/media.ts${query}`, import.meta.url).href)
    return media().service
  }
  const service = await load('?first')
  onTestFinished(() => service.close())
  expect(await load('?second')).toBe(service)
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
  const image = startProcess([node, 'script.ts'], { cwd })
  expect([await image.ended, image.output]).toEqual([0, expect.stringContaining('is completed')])
  expect(isPng(readFileSync(join(cwd, 'output-0')))).toBe(true)
  const film = startProcess([node, 'script.ts', 'procedural-video', JSON.stringify(filmInput)], { cwd })
  await film.heard(/is accepted/)
  const signalledAt = performance.now()
  film.child.kill('SIGTERM')
  expect([await film.ended, film.output]).toEqual([0, expect.stringMatching(/is (submitting|running)/)])
  expect(performance.now() - signalledAt).toBeLessThan(10_000)
})

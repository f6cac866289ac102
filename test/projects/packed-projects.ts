import { createRequire } from 'node:module'
import { createClient } from '@genmount/client'
import { expect, test } from 'vitest'
import { run } from '../packaging/run.ts'
import type { Command } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { installProject } from './install-project.ts'
import { denoRights, env, isPng, liveThrough, nextCommand, type ProjectServer } from './project-life.ts'

const node = process.execPath
const [deno] = runtimes.deno
const [bun] = runtimes.bun
const tsc = 'node_modules/typescript/bin/tsc'

/** The command that bundles a file of a project into `dist`. */
export const bundled = (...args: readonly string[]): Command => [
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

const projects = {
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
} satisfies Readonly<Record<string, Project>>

/** Declares a test for each of these projects. */
export function testProjects(...names: readonly (keyof typeof projects)[]): void {
  test.each(names)(
    'a project with %s and packed packages makes an image, and ends within 10 s after SIGTERM with its waiter answered',
    async (name) => {
      const { source = name, build = [], ...server }: Project = projects[name]
      const folder = await installProject(source)
      for (const command of build) await run(folder, command, env)
      await liveThrough(server, folder)
    },
  )
}

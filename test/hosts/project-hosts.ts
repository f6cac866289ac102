import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { httpSuiteService } from '@genmount/testing/http'
import { build, type Plugin } from 'esbuild'
import { runtimes } from '../processes/runtimes.ts'
import type { Host } from './host.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Gives the server of a project the service of the suite in place of its own. */
const withSuiteService: Plugin = {
  name: 'service of the suite',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@genmount\/core$/ }, () => ({ path: at('servers/suite-in-place-of-core.ts') })),
}

/** The server of a project in `test/projects`, from source, with the service of the suite. */
function projectHost(name: string, entry: string): Host {
  return {
    name,
    async start() {
      const { outputFiles } = await build({
        entryPoints: [at(`../projects/${entry}`)],
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        packages: 'external',
        plugins: [withSuiteService],
      })
      const { keys } = httpSuiteService()
      const [binary, ...args] = runtimes.node
      // From the input, so that its packages are looked for in the working directory.
      const server = spawn(binary, [...args, '--input-type=module', '-'], {
        cwd: at('../..'),
        env: { ...process.env, PORT: '0', ALICE_KEY: keys.alice },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
      server.stdin.end(outputFiles[0]!.text)
      return {
        subject: { baseUrl: `http://localhost:${await portOf(server.stdout, name)}/media`, keys },
        async stop() {
          server.kill('SIGKILL')
          await exited
        },
      }
    },
  }
}

async function portOf(output: NodeJS.ReadableStream, name: string): Promise<string> {
  for await (const line of createInterface(output)) {
    const [, digits, port = digits] = /port: (\d+)|http:\/\/[^\s/]+:(\d+)/.exec(line) ?? []
    if (port !== undefined) return port
  }
  throw new Error(`The server of ${name} ended before it listened.`)
}

export const projectHosts: readonly Host[] = [
  projectHost('Fastify', 'fastify/server.ts'),
  projectHost('Hono on Node', 'hono/server.ts'),
  projectHost('NestJS', 'nest/src/main.ts'),
]

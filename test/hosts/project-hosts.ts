import { fileURLToPath } from 'node:url'
import { httpSuiteService } from '@genmount/testing/http'
import { build, type Plugin } from 'esbuild'
import { launch } from '../processes/launch.ts'
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
    isVariant: false,
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
      // From the input, so that its packages are looked for in the working directory.
      const server = launch([...runtimes.node, '--input-type=module', '-'], {
        env: { PORT: '0', ALICE_KEY: keys.alice },
      })
      server.child.stdin.end(outputFiles[0]!.text)
      const [, digits, port = digits] = await server.heard(/port: (\d+)|http:\/\/[^\s/]+:(\d+)/)
      return {
        subject: { baseUrl: `http://localhost:${port}/media`, keys },
        stop: async () => void (await server.kill()),
      }
    },
  }
}

export const projectHosts: readonly Host[] = [
  projectHost('Fastify', 'fastify/server.ts'),
  projectHost('Hono on Node', 'hono/server.ts'),
  projectHost('NestJS', 'nest/src/main.ts'),
]

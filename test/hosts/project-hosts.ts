import { join } from 'node:path'
import { httpSuiteService } from '@genmount/testing/http'
import { build } from 'esbuild'
import { launch } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { portOf } from '../projects/project-life.ts'
import type { Host } from './hosts.ts'

/** The server of a project in `test/projects`, from source, with the service of the suite in place of its own. */
function projectHost(name: string, entry: string): Host {
  return {
    name,
    isVariant: false,
    async start() {
      const { outputFiles } = await build({
        entryPoints: [join(import.meta.dirname, '../projects', entry)],
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        packages: 'external',
        alias: { '@genmount/core': join(import.meta.dirname, 'suite-in-place-of-core.ts') },
      })
      const { keys } = httpSuiteService()
      // From the input, so that its packages are looked for in the working directory.
      const server = launch([...runtimes.node, '--input-type=module', '-'], {
        env: { PORT: '0', ALICE_KEY: keys.alice },
      })
      server.child.stdin.end(outputFiles[0]!.text)
      const baseUrl = `http://localhost:${await portOf(server)}/media`
      return {
        subject: { baseUrl, keys },
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

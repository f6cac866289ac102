import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'esbuild'
import { run } from '../packaging/run.ts'
import { startProcess } from '../processes/start-process.ts'
import { installProject } from '../projects/install-project.ts'
import { env, nextCommand, portOf } from '../projects/project-life.ts'
import { guardStatus } from './guarded-fetch.ts'
import type { GuardedHost } from './guarded-hosts.ts'
import { testGuards } from './test-guards.ts'

/** What stands in front of the routes of Next.js and was called middleware. */
const proxy = `
export const proxy = () => new Response(null, { status: ${guardStatus} })
export const config = { matcher: '/suite/v1/generate' }
`

const nextHost: GuardedHost = {
  name: 'Next.js with a guard of one endpoint',
  mountPath: '/suite',
  async start() {
    const cwd = await installProject('next')
    await bundle({
      entryPoints: [join(import.meta.dirname, '../projects/suite-route.ts')],
      bundle: true,
      outfile: join(cwd, 'app/suite/v1/[...path]/route.js'),
      format: 'esm',
      platform: 'node',
      conditions: ['@genmount/source'],
    })
    writeFileSync(join(cwd, 'proxy.ts'), proxy)
    // The project's own route and what starts its service.
    for (const name of ['app/media', 'media.ts', 'instrumentation.ts', 'instrumentation-node.ts'])
      rmSync(join(cwd, name), { recursive: true })
    await run(cwd, nextCommand('build'), env)
    return `http://127.0.0.1:${await portOf(startProcess(nextCommand('start'), { env, cwd }))}`
  },
}

testGuards([nextHost])

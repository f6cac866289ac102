import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { httpSuiteService } from '@genmount/testing/http'
import { build as bundle } from 'esbuild'
import { expect, test } from 'vitest'
import { clients } from '../client/clients.ts'
import { run } from '../packaging/run.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { installProject } from './install-project.ts'
import { testProjects } from './packed-projects.ts'
import { denoRights, env, expectImage, headers, nextCommand, portOf } from './project-life.ts'

// In `npm test`, `test/packaging` runs the project in CommonJS, a worker is bundled, the route of Next.js makes an image without
// Next.js, and the client passes its suite on Fastify, Hono and NestJS from source.
testProjects('node-http', 'express', 'fastify', 'hono', 'commonjs', 'an esbuild bundle', 'nest', 'next')

test('Deno with the permissions that the README names is ready, and each missing one is named by ready()', async () => {
  const folder = await installProject('deno')
  const printed = (rights: readonly string[]) =>
    run(folder, [runtimes.deno[0], 'run', '--no-prompt', ...rights, 'ready.ts'])
  expect(await printed(denoRights)).toBe('It is ready.\n')
  for (const right of denoRights)
    expect(await printed(denoRights.filter((other) => other !== right))).toMatch(
      new RegExp(`^The provider procedural is not ready: .*run again with the ${right} flag`),
    )
})

test(
  'the client passes its suite against a Next.js server, on Node, Bun, Deno and in Chromium',
  { tags: ['needs/chromium'] },
  async () => {
    const cwd = await installProject('next')
    // A route with the service that the suite needs, beside the project's own route.
    await bundle({
      entryPoints: [join(import.meta.dirname, 'suite-route.ts')],
      bundle: true,
      outfile: join(cwd, 'app/suite/v1/[...path]/route.js'),
      format: 'esm',
      platform: 'node',
      conditions: ['@genmount/source'],
    })
    await run(cwd, nextCommand('build'), env)
    const port = await portOf(startProcess(nextCommand('start'), { env, cwd }))
    const subject = { baseUrl: `http://127.0.0.1:${port}/suite`, key: httpSuiteService().keys.alice }
    const failures = await Promise.all(Object.values(clients).map((runSuite) => runSuite([subject])))
    expect(failures.flat()).toEqual([])
  },
)

test('next dev keeps the service, and so its jobs, when the files of the app have changed', async () => {
  const cwd = await installProject('next')
  const server = startProcess(nextCommand('dev'), { env: { ...env, NODE_ENV: 'development' }, cwd })
  const url = await expectImage(`http://127.0.0.1:${await portOf(server)}/media`)
  for (const file of ['media.ts', 'app/media/v1/[...path]/route.ts'])
    appendFileSync(join(cwd, file), "\nconsole.log('loaded again')\n")
  const statuses = new Set<number>()
  do statuses.add((await fetch(url, { headers })).status)
  while (!server.output.includes('loaded again'))
  statuses.add((await fetch(url, { headers })).status)
  // `next dev` has a child process, which would go on running after a SIGKILL.
  server.child.kill('SIGTERM')
  await server.ended
  expect([...statuses], server.output).toEqual([200])
})

// @module-tag needs/chromium needs/git
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openContext } from '../browsers/open-page.ts'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { expectImage, portOf } from '../projects/project-life.ts'
import { codeBlocks } from '../readme/code-blocks.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { withFakes } from './hosted-server.ts'

const page = readFileSync(join(repo, 'packages/docs/pages/clone-to-production.md'), 'utf8')

/** How many minutes the page gives a step. */
function minutesFor(step: string): number {
  const [, minutes] = new RegExp(`^\\| \\[${step}\\]\\(\\S+ +\\| (\\d+) `, 'm').exec(page) ?? []
  return Number(minutes)
}

/** Takes a step of the page, prints how long it took, and expects that it took no longer than the page says. */
async function step<Result>(title: string, take: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await take()
  const seconds = (performance.now() - began) / 1000
  console.log(`${title}: ${seconds.toFixed(1)} s, of ${minutesFor(title)} minutes on the page`)
  expect(seconds, title).toBeLessThan(minutesFor(title) * 60)
  return result
}

/**
 * What `npm ci` makes in a clone: the packages of the registry, here those of this repository, and links to the packages of
 * the clone. CI runs `npm ci` itself, in a fresh clone, before all tests.
 */
function install(clone: string): void {
  const modules = join(clone, 'node_modules')
  mkdirSync(join(modules, '@genmount'), { recursive: true })
  for (const name of readdirSync(join(repo, 'node_modules')))
    if (name !== '@genmount') symlinkSync(join(repo, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(clone, 'packages')))
    symlinkSync(join(clone, 'packages', name), join(modules, '@genmount', name))
}

const json = { 'content-type': 'application/json' }

// The vendor is a fake of what it documents. The container of the last step is not deployed: tests have no Docker.
test('somebody who clones the repository gets to an app with a vendor in the minutes that the page promises', async () => {
  const folder = temporaryFolder()
  const clone = join(folder, 'genmount')
  const [node, ...options] = runtimes.node

  await step('See it work', async () => {
    await outputOf(['git', 'clone', '--quiet', repo, clone])
    install(clone)
    const demo = await outputOf([node, ...options, 'examples/standalone-node/demo.ts'], { cwd: clone })
    expect(demo).toContain('saved demo-output/image.png')
    expect(readdirSync(join(clone, 'demo-output')).toSorted()).toEqual([
      'image-enlarged.png',
      'image.png',
      'video.mp4',
    ])
  })

  const serverIn = async (env: Readonly<Record<string, string>>, fakes: readonly string[] = []) => {
    const command = [node, ...options, ...fakes, 'examples/standalone-node/server.ts'] as const
    const server = startProcess(command, { cwd: clone, env: { PORT: '0', ...env } })
    const [, origin = ''] = await server.heard(/listens on (http:\/\/\S+)\n/)
    return { server, origin }
  }

  await step('Try the page', async () => {
    const { server, origin } = await serverIn({})
    const tab = await (await openContext()).newPage()
    await tab.goto(origin)
    await tab.getByLabel('Prompt', { exact: true }).fill('a kite over the sea')
    await tab.getByRole('button', { name: /^Generate/ }).click()
    await tab.getByRole('region', { name: 'Results' }).getByRole('img').first().waitFor()
    await server.kill()
  })

  await step('A first vendor', async () => {
    const { server, origin } = await serverIn(
      { FAKE_KEYS: 'FAL_KEY', API_KEYS: 'app:key-of-app' },
      await withFakes(),
    )
    const created = await fetch(`${origin}/v1/generate?wait=true`, {
      method: 'POST',
      headers: { ...json, authorization: 'Bearer key-of-app' },
      body: JSON.stringify({ model: 'flux-schnell', prompt: 'a lighthouse' }),
    })
    expect(await created.json()).toMatchObject({ status: 'completed', cost_usd: 0.003, error: null })
    await server.kill()
  })

  await step('Mount it', async () => {
    const app = codeBlocks('ts').find(
      ({ readme, code }) =>
        readme === 'packages/express-middleware/README.md' && code.includes('app.listen('),
    )
    const project = join(clone, 'app')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(project, 'server.ts'), app!.code)
    const command = [node, ...options, 'server.ts'] as const
    const server = startProcess(command, { cwd: project, env: { PORT: '0', ALICE_KEY: 'key-of-alice' } })
    await expectImage(`http://localhost:${await portOf(server)}/media`)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  })
})

// @module-tag needs/curl
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withFakes } from '../examples/hosted-server.ts'
import { launch, type Launched } from '../processes/launch.ts'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { textToImage } from '../providers/comfyui/comfyui-shapes.ts'
import { readerFolder } from './reader-folder.ts'

/** The providers whose pages begin with the section, and where that section says that the key comes from. */
const keys: readonly (readonly [name: string, key: RegExp])[] = [
  ['provider-fal', /https:\/\/fal\.ai\S+keys/],
  ['provider-replicate', /https:\/\/replicate\.com\S+tokens/],
  ['provider-openai', /https:\/\/platform\.openai\.com\S+keys/],
  ['provider-openai-responses', /https:\/\/platform\.openai\.com\S+keys/],
  ['provider-openai-compatible', /needs no key/],
  ['provider-a1111', /needs no key/],
  ['provider-google', /https:\/\/aistudio\.google\.com\S+key/],
  ['provider-gemini-omni', /https:\/\/aistudio\.google\.com\S+key/],
  ['provider-bfl', /https:\/\/dashboard\.bfl\.ai\S+/],
  ['provider-runway', /https:\/\/dev\.runwayml\.com\S+keys/],
  ['provider-ark', /https:\/\/console\.byteplus\.com\S+apiKey/],
  ['provider-xai', /https:\/\/console\.x\.ai/],
  ['provider-comfyui', /needs no key/],
  ['provider-ai-sdk', /https:\/\/replicate\.com\S+tokens/],
]

function blockOf(section: string, language: string, mark: string): string {
  const blocks = section.matchAll(/```(\w+)\n(.*?)```/gs)
  const block = [...blocks].find(([, its, code = '']) => its === language && code.includes(mark))
  return block?.[2] ?? ''
}

const pageOf = (name: string) => readFileSync(join(repo, 'packages', name, 'README.md'), 'utf8')
const sectionsOf = (page: string) => page.split(/^## /m)

let servers: Launched
let ports: Readonly<Record<string, number>>
const folder = readerFolder({
  'flux.json': textToImage,
  ...Object.fromEntries(
    keys.map(([name]) => [`${name}.mts`, blockOf(sectionsOf(pageOf(name))[1] ?? '', 'ts', 'listen(3000)')]),
  ),
})

beforeAll(async () => {
  const script = join(import.meta.dirname, 'serve-blocks.ts')
  const files = keys.map(([name]) => join(folder, `${name}.mts`))
  const [node, ...options] = runtimes.node
  servers = launch([node, ...options, ...withFakes, script, ...files], {
    cwd: folder,
    env: { ALICE_KEY: 'key-of-alice' },
  })
  const [line] = await servers.heard(/^\{.*\}$/m)
  ports = JSON.parse(line)
})
afterAll(() => servers?.kill())

test.each(keys)(
  'the README of %s begins with where the key comes from, a server and a curl command, whose answer is as shown',
  async (name, key) => {
    const [before = '', section = ''] = sectionsOf(pageOf(name))
    expect(section).toMatch(/^Three minutes/)
    expect(before + section).not.toContain('\n| ')
    expect(section).toMatch(key)
    expect(blockOf(section, 'sh', 'npm install')).toContain(`@genmount/${name}`)

    const curl = blockOf(section, 'sh', 'curl').replace('127.0.0.1:3000', `127.0.0.1:${ports[name]}`)
    const answer = JSON.parse(await outputOf(['sh', '-c', curl], { env: { ALICE_KEY: 'key-of-alice' } }))
    const shown = JSON.parse(blockOf(section, 'json', '"generation"'))
    expect(Object.keys(shown)).toEqual(Object.keys(answer))
    const asShown = ['model', 'output_kind', 'status', 'retention_days', 'error', 'cost_usd', 'input']
    const of = (job: Record<string, unknown>) => asShown.map((field) => [field, job[field]])
    expect(of(answer)).toEqual(of(shown))
    for (const [field, length] of [
      ['timings', 1],
      ['urls', 1],
      // The test does not wait for the film, so its job may have no files yet.
      ['data', shown.status === 'completed' ? 1 : 0],
    ] as const)
      expect([Object.keys(answer[field]).length, Object.keys(shown[field]).length]).toEqual([length, length])
  },
)

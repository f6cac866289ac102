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

/**
 * The providers whose pages have the section, where that section says that the key comes from, and its title. Pages begin
 * with it, unless it is about a further entry of the package.
 */
const keys: readonly (readonly [name: string, key: RegExp, title?: string])[] = [
  ['provider-fal', /https:\/\/fal\.ai\S+keys/],
  ['provider-replicate', /https:\/\/replicate\.com\S+tokens/],
  ['provider-openai', /https:\/\/platform\.openai\.com\S+keys/],
  [
    'provider-openai/responses',
    /https:\/\/platform\.openai\.com\S+keys/,
    'In the background in three minutes',
  ],
  ['provider-openai/compatible', /needs no key/, 'Other servers in three minutes'],
  ['provider-openai/openrouter', /https:\/\/openrouter\.ai\S+keys/, 'Films of OpenRouter in three minutes'],
  ['provider-a1111', /needs no key/],
  ['provider-google', /https:\/\/aistudio\.google\.com\S+key/],
  ['provider-google/omni', /https:\/\/aistudio\.google\.com\S+key/, 'Films in three minutes'],
  ['provider-bfl', /https:\/\/dashboard\.bfl\.ai\S+/],
  ['provider-runpod', /https:\/\/console\.runpod\.io/],
  ['provider-runway', /https:\/\/dev\.runwayml\.com\S+keys/],
  ['provider-kling', /https:\/\/kling\.ai\/dev\S+/],
  ['provider-ark', /https:\/\/console\.byteplus\.com\S+apiKey/],
  ['provider-xai', /https:\/\/console\.x\.ai/],
  ['provider-comfyui', /needs no key/],
  ['provider-comfyui/api-v2', /https:\/\/platform\.comfy\.org\S+keys/, 'Comfy Cloud in three minutes'],
  ['provider-comfyui/router', /https:\/\/platform\.comfy\.org\S+keys/, 'The Comfy Router in three minutes'],
  ['provider-ai-sdk', /https:\/\/replicate\.com\S+tokens/],
]

function blockOf(section: string, language: string, mark: string): string {
  const blocks = section.matchAll(/```(\w+)\n(.*?)```/gs)
  const block = [...blocks].find(([, its, code = '']) => its === language && code.includes(mark))
  return block?.[2] ?? ''
}

const packageOf = (entry: string) => entry.replace(/\/.*/, '')
/** The name of the file that the section's reader saves. */
const serverOf = (entry: string) => entry.replace('/', '-')

/** What is before the first section of the page, and the section. */
function pageOf(entry: string, title: string | undefined): readonly [before: string, section: string] {
  const page = readFileSync(join(repo, 'packages', packageOf(entry), 'README.md'), 'utf8')
  const [before = '', first = '', ...others] = page.split(/^##+ /m)
  return [before, title === undefined ? first : (others.find((text) => text.startsWith(title)) ?? '')]
}

let servers: Launched
let ports: Readonly<Record<string, number>>
const folder = readerFolder({
  'flux.json': textToImage,
  ...Object.fromEntries(
    keys.map(([entry, , title]) => [
      `${serverOf(entry)}.mts`,
      blockOf(pageOf(entry, title)[1], 'ts', 'listen(3000)'),
    ]),
  ),
})

beforeAll(async () => {
  const script = join(import.meta.dirname, 'serve-blocks.ts')
  const files = keys.map(([entry]) => join(folder, `${serverOf(entry)}.mts`))
  const [node, ...options] = runtimes.node
  servers = launch([node, ...options, ...(await withFakes()), script, ...files], {
    cwd: folder,
    env: { ALICE_KEY: 'key-of-alice' },
  })
  const [line] = await servers.heard(/^\{.*\}$/m)
  ports = JSON.parse(line)
})
afterAll(() => servers?.kill())

test.each(keys.map(([entry, key, title]) => ({ entry, key, title })))(
  'the README of $entry begins with where the key comes from, a server and a curl command, whose answer is as shown',
  async ({ entry, key, title }) => {
    const [before, section] = pageOf(entry, title)
    expect(section.split('\n', 1)).toEqual([title ?? 'Three minutes'])
    expect(before + section).not.toContain('\n| ')
    expect(section).toMatch(key)
    expect(blockOf(section, 'sh', 'npm install')).toContain(`@genmount/${packageOf(entry)}`)

    const curl = blockOf(section, 'sh', 'curl').replace(
      '127.0.0.1:3000',
      `127.0.0.1:${ports[serverOf(entry)]}`,
    )
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

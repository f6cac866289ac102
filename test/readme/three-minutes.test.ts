// @module-tag needs/curl
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repo, start } from '../examples/started-server.ts'
import { textToImage } from '../providers/comfyui/comfyui-shapes.ts'
import { runtimes } from '../processes/runtimes.ts'

const fakes = join(repo, 'test/examples/vendors-on-loopback.ts')
/** Makes the server listen on a free port instead of 3000, and print that port. */
const onAnyPort = `import { Server } from 'node:net'
  const { listen } = Server.prototype
  Server.prototype.listen = function (...given) {
    if (given[0] !== 3000) return listen.apply(this, given)
    return listen.call(this, 0, '127.0.0.1', () => console.log('port ' + this.address().port))
  }`

function blockOf(section: string, language: string, mark: string): string {
  const blocks = section.matchAll(/```(\w+)\n(.*?)```/gs)
  const found = [...blocks].find(([, its, code = '']) => its === language && code.includes(mark))
  return found?.[2] ?? ''
}

test.each([
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
])(
  'the page of %s begins with a key, a server and a request, whose answer is as shown',
  async (name, key) => {
    const page = readFileSync(join(repo, 'packages', name, 'README.md'), 'utf8')
    const [before = '', section = ''] = page.split(/^## /m)
    expect(section).toMatch(/^Three minutes/)
    expect(before + section).not.toContain('\n| ')
    expect(section).toMatch(key)
    expect(blockOf(section, 'sh', 'npm install')).toContain(`@genmount/${name}`)

    const folder = mkdtempSync(join(tmpdir(), 'genmount-minutes-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    symlinkSync(join(repo, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'flux.json'), JSON.stringify(textToImage))
    writeFileSync(join(folder, 'server.mts'), blockOf(section, 'ts', 'listen(3000)'))
    const patch = `data:text/javascript,${encodeURIComponent(onAnyPort)}`
    const command = [...runtimes.node, '--import', patch, '--import', fakes, 'server.mts'] as const
    const server = start(command, { ALICE_KEY: 'key-of-alice' }, folder)
    const [, port = ''] = await server.heard(/^port (\d+)$/m)

    const curl = blockOf(section, 'sh', 'curl').replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    const env = { ...process.env, ALICE_KEY: 'key-of-alice' }
    const { stdout } = spawnSync('sh', ['-c', curl], { encoding: 'utf8', env })
    const answer = JSON.parse(stdout)
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

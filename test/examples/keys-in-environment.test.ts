import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { temporaryFolder } from './standalone-server.ts'
import { repo, start } from './started-server.ts'

const withFakes = ['--import', join(import.meta.dirname, 'vendors-on-loopback.ts')]
const checkpoint = 'v1-5-pruned-emaonly.safetensors'

/** The models that each key gives access to. The first model of each key makes pictures. */
const vendors: Readonly<Record<string, readonly string[]>> = {
  FAL_KEY: ['flux-schnell', 'flux-2-flash', 'veo-3.1'],
  REPLICATE_API_TOKEN: ['flux-schnell', 'nano-banana-2', 'veo-3.1-fast'],
  OPENAI_API_KEY: ['gpt-image-2'],
  GEMINI_API_KEY: ['gemini-nano-banana-2.1', 'gemini-3-pro-image', 'gemini-omni-1.2-flash'],
  BFL_API_KEY: ['flux-2-pro', 'flux-2-max', 'flux-3-video'],
  RUNWAYML_API_SECRET: ['gen4_image', 'gen4.5'],
  ARK_API_KEY: ['seedream-4.5', 'seedance-2-mini'],
  XAI_API_KEY: ['grok-imagine-image', 'grok-imagine-video-1.5'],
  COMFYUI_URL: ['comfyui-text-to-image'],
}
const keys = Object.keys(vendors)
const embedded = ['procedural-image', 'procedural-video', 'esrgan-x2', 'esrgan-x4']

const examples = {
  'standalone-node': { env: { API_KEYS: 'app:key-of-app' }, own: embedded },
  'hosted-providers': { env: { CLIENT_KEY: 'key-of-app' }, own: [] },
}
type Example = keyof typeof examples

function launch(example: Example, env: Readonly<Record<string, string>>) {
  const program = join(repo, 'examples', example, 'server.ts')
  const JOBS_FILE = join(temporaryFolder(), 'jobs.db')
  return start([...runtimes.node, ...withFakes, program], {
    PORT: '0',
    JOBS_FILE,
    COMFYUI_CHECKPOINT: checkpoint,
    ...examples[example].env,
    ...env,
  })
}

/** Starts an example and waits until it listens. @param keys the variables that get keys of the fakes */
async function served(example: Example, keys: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const server = launch(example, { FAKE_KEYS: keys.join(), ...env })
  const [, baseUrl = ''] = await server.heard(/listens on (http:\/\/\S+)\n/)
  // The last line that the server prints when it starts.
  await server.heard(/curl .*\n/)
  const headers = { authorization: 'Bearer key-of-app', 'content-type': 'application/json' }
  return {
    said: server.said,
    heard: server.heard,
    async models(): Promise<string[]> {
      const { data } = await (await fetch(`${baseUrl}/v1/models`, { headers })).json()
      return data.map(({ id }: { id: string }) => id)
    },
    async make(model: string) {
      const body = JSON.stringify({ model, prompt: 'a lighthouse' })
      return (await fetch(`${baseUrl}/v1/generate?wait=true`, { method: 'POST', headers, body })).json()
    },
  }
}

describe.each(Object.keys(examples) as Example[])('%s', (example) => {
  const { own } = examples[example]

  test('with all keys, serves the models of all vendors, each once, and prints no key', async () => {
    const { said, models, make } = await served(example, keys)
    for (const key of keys) expect(said()).toContain(`Found ${key}: ${vendors[key]?.join(', ')}\n`)
    expect(said()).not.toContain('Not set')
    const ids = [...new Set(Object.values(vendors).flat())]
    expect((await models()).toSorted()).toEqual([...own, ...ids].toSorted())
    // Films are left out: they take long even with a fake, because the first poll comes after their usual duration.
    const pictures = ids.filter((id) => !/veo|video|omni|gen4\.5|seedance/.test(id))
    const jobs = await Promise.all(pictures.map(make))
    expect(jobs.map(({ status, error }) => [status, error])).toEqual(pictures.map(() => ['completed', null]))
    const [, held = ''] = /The fakes want (\S+)\n/.exec(said()) ?? []
    const secrets = held.split(',')
    // COMFYUI_URL is an address and no secret.
    expect(secrets).toHaveLength(keys.length - 1)
    const rest = said().replace(held, '') + JSON.stringify(jobs)
    for (const secret of secrets) expect(rest).not.toContain(secret)
    expect(rest).not.toContain('is refused')
  })

  test('a key that the vendor does not accept is named soon after the start and in the job, and not shown', async () => {
    const key = 'sk-wrong-5f0c1d2e'
    const { said, heard, make } = await served(example, [], { OPENAI_API_KEY: key })
    await heard(/^OPENAI_API_KEY is refused by /m)
    const job = await make('gpt-image-2')
    expect(job.error).toMatch(/^provider_rejected: .*does not accept the credentials/)
    expect(said()).toContain('Incorrect API key provided')
    expect(said() + JSON.stringify(job)).not.toContain(key)
  })

  test('a key that can be none is named before the server listens, and not shown', async () => {
    const server = launch(example, { FAKE_KEYS: 'FAL_KEY', OPENAI_API_KEY: 'sk-two words' })
    expect(await server.exited).toBe(1)
    const [line = ''] = server
      .said()
      .split('\n')
      .filter((text) => text.includes('OPENAI_API_KEY'))
    expect(line).toContain('must be an API key')
    expect(server.said()).not.toContain('words')
    expect(server.said()).not.toContain('listens')
  })
})

// One example is enough here: both find the vendors with the same function of `@genmount/cli`.
describe('hosted-providers', () => {
  test.each(keys)('with %s alone, says so, and serves the models of that vendor', async (key) => {
    const ids = vendors[key] ?? []
    const { said, models, make } = await served('hosted-providers', [key])
    expect(said()).toContain(`Found ${key}: ${ids.join(', ')}\n`)
    expect(said().match(/^Found /gm)).toHaveLength(1)
    for (const other of keys.filter((name) => name !== key))
      expect(said()).toMatch(new RegExp(`^Not set: .*${other}`, 'm'))
    expect(await models()).toEqual(ids)
    expect(await make(ids[0] ?? '')).toMatchObject({ status: 'completed', error: null })
  })

  test('each of several keys that their vendors do not accept is named soon after the start, without a job', async () => {
    const refused = ['OPENAI_API_KEY', 'REPLICATE_API_TOKEN', 'GEMINI_API_KEY']
    const wrong = Object.fromEntries(refused.map((variable) => [variable, 'wrong-5f0c1d2e']))
    const { said, heard } = await served('hosted-providers', ['COMFYUI_URL'], wrong)
    for (const variable of refused) await heard(new RegExp(`^${variable} is refused by `, 'm'))
    expect(said()).not.toContain('wrong-5f0c1d2e')
  })

  test('an address of ComfyUI that is none is named', async () => {
    const server = launch('hosted-providers', { FAKE_KEYS: 'FAL_KEY', COMFYUI_URL: '192.168.1.20:8188' })
    expect(await server.exited).toBe(1)
    expect(server.said()).toMatch(/COMFYUI_URL .*http/)
  })

  test('a checkpoint that ComfyUI does not have is told with those that it has', async () => {
    const missing = { COMFYUI_CHECKPOINT: 'none.safetensors' }
    const { make } = await served('hosted-providers', ['COMFYUI_URL'], missing)
    const job = await make('comfyui-text-to-image')
    expect(job.error).toContain('sd_xl_base_1.0.safetensors')
  })
})

const empty = Object.fromEntries(keys.map((key) => [key, ' ']))

test('without a key, the standalone server serves what needs none, and names the variables', async () => {
  const { said, models } = await served('standalone-node', [], empty)
  expect(await models()).toEqual(embedded)
  expect(said()).toContain(`Not set: ${keys.join(', ')}`)
})

test('without a key, the server of hosted models names the variables, and ends', async () => {
  const server = launch('hosted-providers', { FAKE_KEYS: '', ...empty })
  expect(await server.exited).toBe(1)
  expect(server.said()).toContain(`Set at least one of ${keys.join(', ')}.`)
})

test('a server that other machines reach spends nobody’s money for the key that everybody knows', async () => {
  const server = launch('standalone-node', { FAKE_KEYS: 'FAL_KEY', HOST: '0.0.0.0', API_KEYS: '' })
  expect(await server.exited).toBe(1)
  expect(server.said()).toMatch(/^API_KEYS must be set/m)
})

import { describe, expect, test } from 'vitest'
import { testWrongKeys } from './wrong-keys.ts'
import {
  expectModelsOfKey,
  type HostedExample,
  printedByFailure,
  servedHosted,
  vendorKeys,
  vendorModels,
} from './hosted-server.ts'

const embedded = ['procedural-image', 'procedural-video']

describe.each<[HostedExample, readonly string[]]>([
  ['standalone-node', embedded],
  ['hosted-providers', []],
])('the example %s', (example, own) => {
  test('with the keys of all vendors serves the models of all vendors, each once, and prints no key', async () => {
    const { server, models, make } = await servedHosted(example, { FAKE_KEYS: vendorKeys.join() })
    for (const [key, ids] of Object.entries(vendorModels))
      expect(server.output).toContain(`Found ${key}: ${ids.join(', ')}\n`)
    expect(server.output).not.toContain('Not set')
    const ids = [...new Set(Object.values(vendorModels).flat())]
    expect((await models()).toSorted()).toEqual([...own, ...ids].toSorted())
    // Films are left out: they take long even with a fake, because the first poll comes after their usual duration.
    const pictures = ids.filter((id) => !/veo|video|omni|gen4\.5|seedance/.test(id))
    const jobs = await Promise.all(pictures.map((id) => make(id)))
    expect(jobs.map(({ status, error }) => [status, error])).toEqual(pictures.map(() => ['completed', null]))
    const [, held = ''] = /The fakes want (\S+)\n/.exec(server.output) ?? []
    const secrets = held.split(',')
    // COMFYUI_URL is an address and no secret.
    expect(secrets).toHaveLength(vendorKeys.length - 1)
    const rest = server.output.replace(held, '') + JSON.stringify(jobs)
    for (const secret of secrets) expect(rest).not.toContain(secret)
    expect(rest).not.toContain('is refused')
  })
})

// One example is enough here: both find the vendors with the same function of `@genmount/cli`.
describe('the example hosted-providers', () => {
  testWrongKeys('hosted-providers')

  test.each(['OPENAI_API_KEY', 'COMFYUI_URL'])(
    'with %s alone serves the models of that vendor',
    async (key) => {
      await expectModelsOfKey(key)
    },
  )

  test('names each of several keys that their vendors refuse soon after the start, without a job', async () => {
    const refused = ['OPENAI_API_KEY', 'REPLICATE_API_TOKEN', 'GEMINI_API_KEY']
    const wrong = Object.fromEntries(refused.map((variable) => [variable, 'wrong-5f0c1d2e']))
    const { server } = await servedHosted('hosted-providers', { FAKE_KEYS: 'COMFYUI_URL', ...wrong })
    for (const variable of refused) await server.heard(new RegExp(`^${variable} is refused by `, 'm'))
    expect(server.output).not.toContain('wrong-5f0c1d2e')
  })

  test('with a COMFYUI_URL that is no address names the variable and exits with 1', async () => {
    const wrong = { FAKE_KEYS: 'FAL_KEY', COMFYUI_URL: '192.168.1.20:8188' }
    expect(await printedByFailure('hosted-providers', wrong)).toMatch(/COMFYUI_URL .*http/)
  })

  test('names the checkpoints of ComfyUI in a job when COMFYUI_CHECKPOINT is none of them', async () => {
    const { make } = await servedHosted('hosted-providers', {
      FAKE_KEYS: 'COMFYUI_URL',
      COMFYUI_CHECKPOINT: 'none.safetensors',
    })
    const job = await make('comfyui-text-to-image')
    expect(job.error).toContain('sd_xl_base_1.0.safetensors')
  })
})

const empty = Object.fromEntries(vendorKeys.map((key) => [key, ' ']))

test('the standalone server without a key of a vendor serves the embedded models, and names the variables', async () => {
  const { server, models } = await servedHosted('standalone-node', { FAKE_KEYS: '', ...empty })
  expect(await models()).toEqual(embedded)
  expect(server.output).toContain(`Not set: ${vendorKeys.join(', ')}`)
})

test('the example hosted-providers without a key of a vendor names the variables, and exits with 1', async () => {
  const printed = await printedByFailure('hosted-providers', { FAKE_KEYS: '', ...empty })
  expect(printed).toContain(`Set at least one of ${vendorKeys.join(', ')}.`)
})

test('a standalone server that other machines reach does not start with the public key and a key of a vendor', async () => {
  const open = { FAKE_KEYS: 'FAL_KEY', HOST: '0.0.0.0', API_KEYS: '' }
  expect(await printedByFailure('standalone-node', open)).toMatch(/^API_KEYS must be set/m)
})

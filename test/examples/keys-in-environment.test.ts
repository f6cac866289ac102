import { describe, expect, test } from 'vitest'
import { testAllKeys } from './all-keys.ts'
import { accessKey, secretKey } from '../providers/kling/kling-fake.ts'
import { testWrongKeys } from './wrong-keys.ts'
import { expectModelsOfKey, printedByFailure, servedHosted, vendorKeys } from './hosted-server.ts'

const embedded = ['procedural-image', 'procedural-video']

testAllKeys('standalone-node', embedded)

// One example is enough here: both find the vendors with the same function of `@genmount/cli`. The deep suite has the other,
// and each key alone.
describe('the example hosted-providers', () => {
  testWrongKeys('hosted-providers')

  test('with COMFYUI_URL alone serves the models of that vendor', async () => {
    await expectModelsOfKey('COMFYUI_URL')
  })

  test('names each key that its vendor refuses soon after the start, without a job', async () => {
    const refused = vendorKeys.filter((variable) => variable !== 'COMFYUI_URL')
    const wrong = Object.fromEntries(refused.map((variable) => [variable, 'wrong-5f0c1d2e']))
    const { server } = await servedHosted('hosted-providers', { FAKE_KEYS: 'COMFYUI_URL', ...wrong })
    for (const variable of refused) await server.heard(new RegExp(`^${variable} is refused by `, 'm'))
    expect(server.output).not.toContain('wrong-5f0c1d2e')
  })

  test("serves Kling's older models with the older pair of keys, without an API key, and names a pair that Kling refuses", async () => {
    const keys = { FAKE_KEYS: '', KLING_ACCESS_KEY: accessKey, KLING_SECRET_KEY: secretKey }
    const { server, make } = await servedHosted('hosted-providers', keys)
    expect(server.output).toContain('Found KLING_ACCESS_KEY: kling-image-3, kling-3-omni\n')
    expect(server.output).not.toMatch(/^Not set: .*KLING/m)
    expect(await make('kling-image-3')).toMatchObject({ status: 'completed', error: null, cost_usd: 0.028 })
    expect(server.output).not.toContain('is refused')
    const wrong = await servedHosted('hosted-providers', { ...keys, KLING_SECRET_KEY: 'wrong-5f0c1d2e' })
    await wrong.server.heard(/^KLING_ACCESS_KEY is refused by api-singapore\.klingai\.com/m)
    expect(wrong.server.output).not.toContain('wrong-5f0c1d2e')
  })

  test('with a COMFYUI_URL that is no address names the variable and exits with 1', async () => {
    const wrong = { FAKE_KEYS: 'FAL_KEY', COMFYUI_URL: '192.168.1.20:8188' }
    expect(await printedByFailure('hosted-providers', wrong)).toMatch(/COMFYUI_URL .*http/)
  })

  test('with RUNPOD_ENDPOINT_ID makes a picture on that endpoint, and names the variables if it can be none', async () => {
    const variables = { FAKE_KEYS: 'RUNPOD_API_KEY', RUNPOD_ENDPOINT_ID: '4k8c0mfyui2q' }
    const { make } = await servedHosted('hosted-providers', variables)
    expect(await make('runpod-text-to-image')).toMatchObject({ status: 'completed', error: null })
    const wrong = { ...variables, RUNPOD_ENDPOINT_ID: 'https://api.runpod.ai/v2/4k8c0mfyui2q' }
    expect(await printedByFailure('hosted-providers', wrong)).toMatch(/RUNPOD_API_KEY or RUNPOD_ENDPOINT_ID /)
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

import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { startProcess } from '../processes/start-process.ts'
import { bundledProgram } from '../suite/bundled-programs.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** What each example that serves hosted models needs beside the keys of vendors. */
const examples = {
  'standalone-node': { API_KEYS: 'app:key-of-app' },
  'hosted-providers': { CLIENT_KEY: 'key-of-app' },
}
export type HostedExample = keyof typeof examples

/** The models that each key gives access to. The first model of each key makes pictures, except at OpenRouter, which takes half a minute. */
export const vendorModels: Readonly<Record<string, readonly string[]>> = {
  FAL_KEY: [
    'nano-banana-2.1',
    'nano-banana-2.1-edit',
    'kling-3-pro',
    'veo-3.1',
    'flux-schnell',
    'flux-2-flash',
  ],
  REPLICATE_API_TOKEN: ['nano-banana-pro', 'seedance-2.5', 'veo-3.1-fast', 'flux-schnell'],
  OPENAI_API_KEY: ['gpt-image-2.6-sunburst', 'gpt-image-2.6-flare'],
  GEMINI_API_KEY: [
    'gemini-nano-banana-2.1',
    'gemini-3.1-flash-lite-image',
    'gemini-3-pro-image',
    'gemini-omni-1.2-flash',
  ],
  BFL_API_KEY: ['flux-3-image', 'flux-3-video', 'flux-2-max', 'flux-2-pro'],
  RUNWAYML_API_SECRET: ['gen4_image', 'gen4.5'],
  ARK_API_KEY: ['seedream-4.5', 'seedance-2.5', 'seedance-2-mini'],
  KLING_API_KEY: ['kling-image-3', 'kling-3-turbo', 'kling-3-omni'],
  XAI_API_KEY: ['grok-imagine-image-2.0', 'grok-imagine-video-1.5'],
  OPENROUTER_API_KEY: ['gemini-omni-1.2-flash', 'wan-3.0'],
  RUNPOD_API_KEY: ['z-image-turbo', 'vidu-q3'],
  COMFY_API_KEY: ['flux-3-image', 'kling-3-turbo', 'seedance-2.5'],
  COMFYUI_URL: ['comfyui-text-to-image'],
}

export const vendorKeys = Object.keys(vendorModels)

/** Fakes stand for all vendors in a program that imports this first. See there for the variables that set them up. */
export const withFakes = async () => [
  '--import',
  await bundledProgram('test/examples/vendors-on-loopback.ts'),
]

/**
 * Starts an example with fakes of all vendors.
 * @param onFinished that of the context, in `test.concurrent`
 */
async function startHosted(
  example: HostedExample,
  env: Readonly<Record<string, string>> = {},
  onFinished = onTestFinished,
) {
  const program = await bundledProgram(`examples/${example}/server.ts`)
  const JOBS_FILE = join(temporaryFolder(onFinished), 'jobs.db')
  const all = {
    PORT: '0',
    JOBS_FILE,
    COMFYUI_CHECKPOINT: 'v1-5-pruned-emaonly.safetensors',
    ...examples[example],
    ...env,
  }
  return startProcess([...runtimes.node, ...(await withFakes()), program], { env: all }, onFinished)
}

/** Starts an example with fakes of all vendors, and waits until it has printed everything that it prints at its start. */
export async function servedHosted(...start: Parameters<typeof startHosted>) {
  const server = await startHosted(...start)
  const [, baseUrl = ''] = await server.heard(/listens on (http:\/\/\S+)\n/)
  await server.heard(/curl .*\n/)
  const headers = { authorization: 'Bearer key-of-app', 'content-type': 'application/json' }
  return {
    server,
    baseUrl,
    headers,
    async models(): Promise<string[]> {
      const { data } = await (await fetch(`${baseUrl}/v1/models`, { headers })).json()
      return data.map(({ id }: { id: string }) => id)
    },
    async make(model: string, more: object = {}) {
      const body = JSON.stringify({ model, prompt: 'a lighthouse', ...more })
      return (await fetch(`${baseUrl}/v1/generate?wait=true`, { method: 'POST', headers, body })).json()
    },
  }
}

/** Expects that the example cannot start with these variables, and ends by itself. @returns what it has printed */
export async function printedByFailure(...start: Parameters<typeof startHosted>): Promise<string> {
  const server = await startHosted(...start)
  expect(await server.ended).toBe(1)
  return server.output
}

/** Starts `hosted-providers` with one key alone, and expects that it serves what that key gives access to. */
export async function expectModelsOfKey(key: string, onFinished = onTestFinished): Promise<void> {
  const ids = vendorModels[key] ?? []
  const { server, models, make } = await servedHosted('hosted-providers', { FAKE_KEYS: key }, onFinished)
  expect(server.output).toContain(`Found ${key}: ${ids.join(', ')}\n`)
  expect(server.output.match(/^Found /gm)).toHaveLength(1)
  for (const other of vendorKeys.filter((name) => name !== key))
    expect(server.output).toMatch(new RegExp(`^Not set: .*${other}`, 'm'))
  expect(await models()).toEqual(ids)
  expect(await make(ids[0] ?? '')).toMatchObject({ status: 'completed', error: null })
}

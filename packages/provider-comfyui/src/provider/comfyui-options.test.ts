import { expect, test } from 'vitest'
import type { WorkflowInput } from '../workflow/workflow.ts'
import type { ComfyuiModel, ComfyuiProviderOptions } from './comfyui-options.ts'
import { comfyuiProvider } from './comfyui-provider.ts'

const workflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '3': { class_type: 'KSampler', inputs: { seed: 1, cfg: 7.5, model: ['4', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } },
}

function optionsWith(
  changes: Partial<ComfyuiProviderOptions>,
  model: Partial<ComfyuiModel> = {},
): ComfyuiProviderOptions {
  const inputs = { prompt: { node: '6', field: 'text' } }
  return {
    baseUrl: 'http://10.0.0.7:8188/api',
    models: { fox: { workflow, outputKind: 'image', inputs, ...model } },
    ...changes,
  }
}

test('a ComfyUI on a private address, over http and below a path, is the operator’s own and fine', () => {
  expect(comfyuiProvider(optionsWith({})).models).toMatchObject([{ id: 'fox', outputKind: 'image' }])
})

test.each([
  'https://cloud.comfy.org',
  'https://cloud.comfy.org/api',
  'https://api.comfy.org/v2/models',
  'https://my-flow.run.comfy.app',
  'https://CLOUD.comfy.org./api',
])('the cloud of Comfy at %s is refused in words when the provider is created', (baseUrl) => {
  expect(() => comfyuiProvider(optionsWith({ baseUrl }))).toThrow(
    /^comfyuiProvider: baseUrl must be the address of your own ComfyUI\. For Comfy's cloud at .* use comfyApiProvider of @genmount\/provider-comfyui\/api-v2\.$/,
  )
})

test.each(['https://comfy.example.org', 'https://notcomfy.org', 'http://comfy:8188'])(
  'a server of your own at %s is no cloud of Comfy',
  (baseUrl) => expect(() => comfyuiProvider(optionsWith({ baseUrl }))).not.toThrow(),
)

test.each<[string, object, string]>([
  ['no baseUrl', { baseUrl: undefined }, 'baseUrl must be'],
  ['a baseUrl of another scheme', { baseUrl: 'ws://comfy' }, 'baseUrl must be'],
  ['a baseUrl with a password', { baseUrl: 'http://me:secret@comfy' }, 'baseUrl must be'],
  ['no models', { models: {} }, 'models must'],
  ['an empty token', { token: '' }, 'token must be'],
  ['a grace that is no number', { submitGraceMs: '5' }, 'submitGraceMs must be'],
  ['a grace that no call has time for', { submitGraceMs: 60_000 }, 'submitGraceMs must be'],
  ['a limit of nothing', { maxOutputBytes: 0 }, 'maxOutputBytes must be'],
  ['a time of nothing', { callTimeoutMs: 0 }, 'callTimeoutMs must be'],
  ['a list of addresses', { allowAddress: ['10.0.0.1'] }, 'allowAddress must be'],
])('%s is told at once', (_what, changes, message) => {
  const construct = () => comfyuiProvider(optionsWith(changes as Partial<ComfyuiProviderOptions>))
  expect(construct).toThrow(TypeError)
  expect(construct).toThrow(message)
})

const input = (place: object | object[]) => ({ inputs: { field: place as WorkflowInput } })

test.each<[string, object, string]>([
  [
    'the format of the editor',
    { workflow: { nodes: [], links: [] } },
    "models['fox'].workflow must be a workflow in the API format",
  ],
  ['no workflow', { workflow: undefined }, 'Export (API)'],
  ['an unknown kind', { outputKind: 'audio' }, 'outputKind must be'],
  ['a price below nothing', { price: -1 }, "models['fox'].price must be"],
  ['an unknown unit', { priceUnit: 'step' }, 'priceUnit must be'],
  ['an output node that is not there', { outputNodes: ['9'] }, "no node '9'"],
  ['no inputs', { inputs: {} }, "models['fox'].inputs must name"],
  ['an empty list of places', input([]), "models['fox'].inputs.field must be a place"],
  ['a node that is not there', input({ node: '99', field: 'text' }), 'no node "99"'],
  ['a node of the prototype', input({ node: 'constructor', field: 'text' }), 'no node "constructor"'],
  ['no field', input({ node: '6' }), '.field must name'],
  ['a field that is wired', input({ node: '3', field: 'model' }), 'is connected to another node'],
  ['a field of no known type', input({ node: '6', field: 'new' }), '.type must be one of'],
  ['an unknown type', input({ node: '6', field: 'text', type: 'json' }), '.type must be one of'],
  ['no choices', input({ node: '6', field: 'text', choices: [] }), '.choices must be'],
  ['a bound that is none', input({ node: '3', field: 'cfg', max: '9' }), 'must be numbers'],
  [
    'a value that is not a function',
    input({ node: '6', field: 'text', value: 'x' }),
    '.value must be a function',
  ],
  [
    'a second place that is wrong',
    input([
      { node: '6', field: 'text' },
      { node: '7', field: 'text' },
    ]),
    'no node "7"',
  ],
])('a model with %s is told at once', (_what, model, message) => {
  const construct = () => comfyuiProvider(optionsWith({}, model as Partial<ComfyuiModel>))
  expect(construct).toThrow(TypeError)
  expect(construct).toThrow(message)
})

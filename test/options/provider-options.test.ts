import * as node from '@genmount/node-http'
import { testMistakes } from './test-mistakes.ts'

/** Factories as plain JavaScript sees them: they take anything. */
function untyped<Factories extends object>(factories: Factories) {
  return factories as { readonly [Name in keyof Factories]: (...options: readonly unknown[]) => unknown }
}

const { apiKeys } = untyped(node)
const { fakeProvider } = untyped(await import('@genmount/testing'))
const { diskFiles } = untyped(await import('@genmount/files-disk'))
const { aiSdkProvider, modelTasks } = untyped(await import('@genmount/provider-ai-sdk'))
const { klingProvider } = untyped(await import('@genmount/provider-kling'))
const { bflProvider } = untyped(await import('@genmount/provider-bfl'))
const { arkProvider } = untyped(await import('@genmount/provider-ark'))
const { comfyApiProvider } = untyped(await import('@genmount/provider-comfyui/api-v2'))
const { comfyRouterProvider } = untyped(await import('@genmount/provider-comfyui/router'))
const { comfyuiProvider } = untyped(await import('@genmount/provider-comfyui'))
const { esrganProvider } = untyped(await import('@genmount/provider-esrgan'))
const { falProvider } = untyped(await import('@genmount/provider-fal'))
const { googleProvider } = untyped(await import('@genmount/provider-google'))
const { openaiProvider } = untyped(await import('@genmount/provider-openai'))
const { openrouterProvider } = untyped(await import('@genmount/provider-openai/openrouter'))
const { openaiVideosProvider } = untyped(await import('@genmount/provider-openai/videos'))
const { proceduralProvider } = untyped(await import('@genmount/provider-procedural'))
const { replicateProvider } = untyped(await import('@genmount/provider-replicate'))
const { runpodProvider } = untyped(await import('@genmount/provider-runpod'))
const { runwayProvider } = untyped(await import('@genmount/provider-runway'))
const { xaiProvider } = untyped(await import('@genmount/provider-xai'))
const { vendorClient } = untyped(await import('@genmount/provider-kit'))
const { localTasks } = untyped(await import('@genmount/provider-kit/workers'))

const token = 'hush-1234'
const flux = { endpoint: 'fal-ai/flux/dev', outputKind: 'image' }
const painter = { model: 'acme/painter', outputKind: 'image' }
const workflow = { '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } } }
const fox = { workflow, outputKind: 'image', inputs: { prompt: { node: '6', field: 'text' } } }
const baseUrl = 'http://comfy.local:8188'
const picture = { specificationVersion: 'v3', provider: 'acme', modelId: 'a', maxImagesPerCall: 1 }
const imageModel = { ...picture, doGenerate: async () => ({ images: [] }) }

/** Mistakes that apps make in options: the text that the error must contain, and the call that makes the mistake. */
const mistakes: Readonly<Record<string, () => unknown>> = {
  // Names of options of the providers and their models
  'falProvider: baseURL is not an option; did you mean baseUrl?': () =>
    falProvider({ token, models: { flux }, baseURL: 'https://proxy.example' }),
  'openaiProvider: apiKey is not an option; the options are token,': () =>
    openaiProvider({ apiKey: token, models: { a: {} } }),
  'replicateProvider: webhooksecret is not an option; did you mean webhookSecret?': () =>
    replicateProvider({ token, models: { painter }, webhooksecret: 'whsec_hush' }),
  "replicateProvider: models['painter'].price_unit is not an option; did you mean priceUnit?": () =>
    replicateProvider({ token, models: { painter: { ...painter, price_unit: 'output' } } }),
  "bflProvider: models['flux'].endpoint must be the name of an endpoint of Black Forest Labs, such as flux-2-pro.":
    () => bflProvider({ token, models: { flux: { endpoint: '/v1/flux-2-pro', outputKind: 'image' } } }),
  "runpodProvider: models['a'].endpoint must be the id of an endpoint of Runpod, such as wan-2-6-t2v.": () =>
    runpodProvider({ token, models: { a: { endpoint: 'v2/a', outputKind: 'image' } } }),
  "runpodProvider: models['a'] must be an object": () =>
    runpodProvider({ token, models: { a: 'wan-2-6-t2v' } }),
  "runpodProvider: models['a'].outputNodes is not an option; the options are id,": () =>
    runpodProvider({ token, models: { a: { ...fox, endpoint: 'a', outputNodes: ['6'] } } }),
  "runpodProvider: models['a'].workflow must be a workflow in the API format": () =>
    runpodProvider({ token, models: { a: { ...fox, endpoint: 'a', workflow: { nodes: [] } } } }),
  "runpodProvider: models['a'].policy.executionTimeout must be": () =>
    runpodProvider({
      token,
      models: { a: { endpoint: 'a', outputKind: 'image', policy: { executionTimeout: 10 } } },
    }),
  "runpodProvider: models['a'].outputField must be a place such as result.videos.": () =>
    runpodProvider({ token, models: { a: { endpoint: 'a', outputKind: 'image', outputField: 'a[0]' } } }),
  'runpodProvider: token is missing; set RUNPOD_API_KEY': () =>
    runpodProvider({ token: '', models: { a: { endpoint: 'a', outputKind: 'image' } } }),
  "runwayProvider: models['a'].endpoint must be the name of an endpoint of Runway, such as image_upscale.":
    () =>
      runwayProvider({ token, models: { a: { model: 'a', endpoint: '/v1/upscale', outputKind: 'image' } } }),
  "falProvider: models['flux'].endpont is not an option; did you mean endpoint?": () =>
    falProvider({ token, models: { flux: { ...flux, endpont: 'a/b' } } }),
  "googleProvider: models['nano'].Price is not an option; did you mean price?": () =>
    googleProvider({ token, models: { nano: { Price: 0.1 } } }),
  "openaiProvider: models['a'].typcialMs is not an option; did you mean typicalMs?": () =>
    openaiProvider({ token, models: { a: { typcialMs: 5 } } }),
  "aiSdkProvider: models['a'].maxOutput is not an option; did you mean maxOutputs?": () =>
    aiSdkProvider({ models: { a: { model: imageModel, maxOutput: 2 } } }),
  'aiSdkProvider: secret is not an option; did you mean secrets?': () =>
    aiSdkProvider({ models: { a: imageModel }, secret: [token] }),
  'modelTasks: price is not an option': () => modelTasks(imageModel, { price: 0.04 }),
  'modelTasks: model must be an image or video model': () => modelTasks('openai/gpt-image-1'),
  "comfyuiProvider: models['fox'].outputNode is not an option; did you mean outputNodes?": () =>
    comfyuiProvider({ baseUrl, models: { fox: { ...fox, outputNode: ['6'] } } }),
  'esrganProvider: price is not an option; did you mean prices?': () => esrganProvider({ price: 1 }),
  'proceduralProvider: allowSimulations is not an option; did you mean allowSimulation?': () =>
    proceduralProvider({ allowSimulations: true }),
  'fakeProvider: latencyMS is not an option; did you mean latencyMs?': () => fakeProvider({ latencyMS: 5 }),
  'vendorClient: header is not an option; did you mean headers?': () =>
    vendorClient({ vendor: 'Acme', baseUrl, header: { a: token } }),
  'localTasks: keepBytes is not an option; did you mean keptBytes?': () =>
    localTasks({ make: async () => {}, close: async () => {}, keepBytes: 5 }),

  // Shapes of the options of providers
  'falProvider: fetch must be a function such as globalThis.fetch, not a text.': () =>
    falProvider({ token, models: { flux }, fetch: 'https://hush.example' }),
  "openaiProvider: headers must be an object such as { 'x-team': 'media' }, not an iterable.": () =>
    openaiProvider({ token, models: { a: {} }, headers: new Headers({ a: 'hush' }) }),
  "replicateProvider: headers['cookie'] must be a text that HTTP can send.": () =>
    replicateProvider({ token, models: { painter }, headers: { cookie: ['hush'] } }),
  "vendorClient: headers['cookie'] must be a text that HTTP can send.": () =>
    vendorClient({ vendor: 'Acme', baseUrl, headers: { cookie: 'hush\n!' } }),
  'comfyuiProvider: baseUrl must be an http or https URL': () =>
    comfyuiProvider({ baseUrl: 'http://me:hush@comfy', models: { fox } }),
  'googleProvider: models[0].id must be the public id of a model, without spaces around it': () =>
    googleProvider({ token, models: ['nano'] }),
  "falProvider: models['flux'] must be an object, not a text.": () =>
    falProvider({ token, models: { flux: 'fal-ai/flux/dev' } }),
  'diskFiles: fetch must be a function such as guardedFetch, not an object.': () =>
    diskFiles({ folder: 'data', fetch: {} }),
  'proceduralProvider: workers must be a whole number from 1 to 64, not true.': () =>
    proceduralProvider({ workers: true }),

  // Secrets that are missing or wrong
  'bflProvider: token is missing; set BFL_API_KEY': () =>
    bflProvider({ token: undefined, models: { flux: { endpoint: 'flux-2-pro', outputKind: 'image' } } }),
  'bflProvider: webhookSecret must be a secret of at least 16 visible ASCII characters.': () =>
    bflProvider({ token, models: { flux: { endpoint: 'a', outputKind: 'image' } }, webhookSecret: 'hush' }),
  'runwayProvider: token is missing; set RUNWAYML_API_SECRET': () =>
    runwayProvider({ token: '', models: { film: { model: 'gen4.5', outputKind: 'video' } } }),
  'openaiProvider: token is missing; set OPENAI_API_KEY': () => openaiProvider(),
  'googleProvider: token is missing; set GEMINI_API_KEY or GOOGLE_API_KEY': () =>
    googleProvider({ models: { nano: {} } }),
  'klingProvider: token is missing; set KLING_API_KEY in the environment and pass its value, or pass accessKey and secretKey.':
    () => klingProvider({ token: '', models: { film: { model: 'kling-3.0', outputKind: 'video' } } }),
  'klingProvider: accessKey and secretKey go together, and one of them is missing.': () =>
    klingProvider({ accessKey: 'a', models: { film: { model: 'kling-v3', outputKind: 'video' } } }),
  'klingProvider must have either token, or accessKey and secretKey, and not both.': () =>
    klingProvider({ token, accessKey: 'a', models: { film: { model: 'kling-v3', outputKind: 'video' } } }),
  "klingProvider: models['film'] needs token, because accessKey and secretKey open only models such as kling-v3, and not kling-3.0.":
    () =>
      klingProvider({
        accessKey: 'a',
        secretKey: 'b',
        models: { film: { model: 'kling-3.0', outputKind: 'video' } },
      }),
  "klingProvider: models['it'].model must be one of Kling's image models, such as kling-v3, not kling-3.0.":
    () => klingProvider({ token, models: { it: { model: 'kling-3.0', outputKind: 'image' } } }),
  "klingProvider: models['it'].providerOptions can't fix callback_url": () =>
    klingProvider({
      token,
      models: { it: { model: 'kling-3.0', outputKind: 'video', providerOptions: { callback_url: 'x' } } },
    }),
  'klingProvider: webhookSecret must be whsec_ followed by a key in base64': () =>
    klingProvider({ token, models: { 'kling-3.0': { outputKind: 'video' } }, webhookSecret: 'hush' }),
  'arkProvider: token is missing; set ARK_API_KEY': () =>
    arkProvider({ models: { it: { outputKind: 'image' } } }),
  'xaiProvider: token is missing; set XAI_API_KEY': () =>
    xaiProvider({ models: { it: { outputKind: 'image' } } }),
  [`xaiProvider: models['it'].task must be 'generate' or 'edit' or 'extend', not "upscale".`]: () =>
    xaiProvider({ token: 't', models: { it: { outputKind: 'video', task: 'upscale' } } }),
  'comfyApiProvider: token is missing; set COMFY_API_KEY': () => comfyApiProvider({ models: { fox } }),
  'comfyApiProvider: models must': () => comfyApiProvider({ token }),
  "comfyApiProvider: models['fox'].priceUnit must be": () =>
    comfyApiProvider({ token, models: { fox: { ...fox, priceUnit: 'step' } } }),
  'comfyApiProvider: partnerNodesKey must be an API key': () =>
    comfyApiProvider({ token, models: { fox }, partnerNodesKey: 'a key' }),
  'comfyRouterProvider: token is missing; set COMFY_API_KEY': () => comfyRouterProvider({ models: 'all' }),
  'comfyRouterProvider: models must': () => comfyRouterProvider({ token }),
  "comfyRouterProvider: models['a'].model must be the id of a model at the Comfy Router": () =>
    comfyRouterProvider({ token, models: { a: { model: 'Kling', outputKind: 'video' } } }),
  "comfyRouterProvider: models['a'].outputKind must be": () =>
    comfyRouterProvider({ token, models: { a: { model: 'kling/kling-v3' } } }),
  "comfyRouterProvider: models['a'].schema must be a JSON Schema": () =>
    comfyRouterProvider({
      token,
      models: { a: { model: 'kling/kling-v3', outputKind: 'video', schema: 'x' } },
    }),
  'openrouterProvider: token is missing; set OPENROUTER_API_KEY': () => openrouterProvider({ models: 'all' }),
  'openrouterProvider: models must': () => openrouterProvider({ token }),
  "openrouterProvider: models['a'].slug is not an option": () =>
    openrouterProvider({ token, models: { a: { slug: 'alibaba/wan-3.0' } } }),
  "openrouterProvider: models['a'].providerOptions can't fix callback_url": () =>
    openrouterProvider({ token, models: { a: { providerOptions: { callback_url: 'https://a.example' } } } }),
  'openrouterProvider: webhookSecret must be a secret of at least 16 visible ASCII characters.': () =>
    openrouterProvider({ token, models: 'all', webhookSecret: 'hush' }),
  'openaiVideosProvider: baseUrl must be an http or https URL': () =>
    openaiVideosProvider({ models: { a: {} } }),
  "openaiVideosProvider: body must be 'json' or 'form'": () =>
    openaiVideosProvider({ baseUrl, models: { a: {} }, body: 'multipart' }),
  "openaiVideosProvider: cancel must be 'cancel' or 'delete'": () =>
    openaiVideosProvider({ baseUrl, models: { a: {} }, cancel: true }),
  "openaiVideosProvider: models['a'].allowedProviderOptions can't allow seconds": () =>
    openaiVideosProvider({ baseUrl, models: { a: { allowedProviderOptions: ['seconds'] } } }),
  'falProvider: token must be an API key': () => falProvider({ token: 'Key hush', models: { flux } }),
  'openaiProvider: token must be an API key: a text of visible ASCII characters, not empty and without spaces, not a number.':
    () => openaiProvider({ token: 7_654_321, models: { a: {} } }),
  'apiKeys: the key of "alice" is missing': () => apiKeys({ alice: '' }),
}

testMistakes(mistakes)

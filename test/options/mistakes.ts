import * as core from '@genmount/core'
import * as node from '@genmount/node-http'
import * as testing from '@genmount/testing'

/** Factories as plain JavaScript sees them: they take anything. */
function untyped<Factories extends object>(factories: Factories) {
  return factories as { readonly [Name in keyof Factories]: (...options: readonly unknown[]) => unknown }
}

const { createGenerationService, memoryBackend, memoryFileStore, routeModel } = untyped(core)
const { toNodeHandler, apiKeys } = untyped(node)
const { fakeProvider } = untyped(testing)
const { bullmqScheduler, redisSignals } = untyped(await import('@genmount/scheduler-bullmq'))
const { postgresBackend } = untyped(await import('@genmount/backend-postgres'))
const { sqliteBackend } = untyped(await import('@genmount/backend-sqlite'))
const { toExpressMiddleware } = untyped(await import('@genmount/express-middleware'))
const { toFetchHandler } = untyped(await import('@genmount/fetch-handler'))
const { diskFiles } = untyped(await import('@genmount/files-disk'))
const { modelTasks } = untyped(await import('@genmount/ai-sdk-tasks'))
const { aiSdkProvider } = untyped(await import('@genmount/provider-ai-sdk'))
const { bflProvider } = untyped(await import('@genmount/provider-bfl'))
const { arkProvider } = untyped(await import('@genmount/provider-ark'))
const { comfyuiProvider } = untyped(await import('@genmount/provider-comfyui'))
const { esrganProvider } = untyped(await import('@genmount/provider-esrgan'))
const { falProvider } = untyped(await import('@genmount/provider-fal'))
const { googleProvider } = untyped(await import('@genmount/provider-google'))
const { openaiProvider } = untyped(await import('@genmount/provider-openai'))
const { proceduralProvider } = untyped(await import('@genmount/provider-procedural'))
const { replicateProvider } = untyped(await import('@genmount/provider-replicate'))
const { runwayProvider } = untyped(await import('@genmount/provider-runway'))
const { xaiProvider } = untyped(await import('@genmount/provider-xai'))
const { vendorClient } = untyped(await import('@genmount/vendor-http'))
const { localTasks } = untyped(await import('@genmount/worker-tasks'))

const fake = testing.fakeProvider()
const providers = [fake]
const service = core.createGenerationService({ providers: [fake] })
const authenticate = node.apiKeys({ alice: 'alice-key' })
const token = 'hush-1234'
const flux = { endpoint: 'fal-ai/flux/dev', outputKind: 'image' }
const painter = { model: 'acme/painter', outputKind: 'image' }
const route = { provider: fake, model: 'fake-image' }
const workflow = { '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox' } } }
const fox = { workflow, outputKind: 'image', inputs: { prompt: { node: '6', field: 'text' } } }
const baseUrl = 'http://comfy.local:8188'
const picture = { specificationVersion: 'v3', provider: 'acme', modelId: 'a', maxImagesPerCall: 1 }
const imageModel = { ...picture, doGenerate: async () => ({ images: [] }) }
const request = new Request('http://app.example/v1/jobs/1')

/** Mistakes that apps make in options: the text that the error must contain, and the call that makes the mistake. */
export const mistakes: Readonly<Record<string, () => unknown>> = {
  // Names of options of the service, its stores and its routes
  'createGenerationService: backends is not an option; did you mean backend?': () =>
    createGenerationService({ providers, backends: core.memoryBackend() }),
  'createGenerationService: callbackBaseURL is not an option; did you mean callbackBaseUrl?': () =>
    createGenerationService({ providers, callbackBaseURL: undefined }),
  'createGenerationService: retention is not an option; did you mean retentionDays?': () =>
    createGenerationService({ providers, retention: 7 }),
  'memoryBackend: redis is not an option; the options are maxJobs, maxBytes, clock.': () =>
    memoryBackend({ redis: 'hush' }),
  'memoryFileStore: maxByte is not an option; did you mean maxBytes?': () => memoryFileStore({ maxByte: 1 }),
  'postgresBackend: pool must be a pool such as new Pool() of pg, not a text.': () =>
    postgresBackend({ pool: 'postgres://alice:hush@db.local/jobs' }),
  'postgresBackend: schema must be the name of a Postgres schema: at most 40 small letters, digits and underscores.':
    () => postgresBackend({ pool: { connect() {} }, schema: 'My Jobs' }),
  "postgresBackend: migrate must be 'auto' or 'check', not true.": () =>
    postgresBackend({ pool: { connect() {} }, migrate: true }),
  'postgresBackend: scheduler must be a scheduler such as bullmqScheduler(), not a function.': () =>
    postgresBackend({ pool: { connect() {} }, scheduler: core.timerScheduler }),
  'sqliteBackend: path is not an option': () => sqliteBackend({ path: 'jobs.db' }),
  'bullmqScheduler: client is not an option': () => bullmqScheduler({ client: {} }),
  'redisSignals: connection is not an option': () => redisSignals({ connection: {} }),
  'diskFiles: folders is not an option; did you mean folder?': () => diskFiles({ folders: 'data' }),
  'routeModel: ids is not an option; did you mean id?': () => routeModel({ ids: 'a', routes: [route] }),
  'routeModel: routes[0].map_input is not an option; did you mean mapInput?': () =>
    routeModel({ id: 'a', routes: [{ ...route, map_input: () => ({}) }] }),
  'close: timeoutMS is not an option; did you mean timeoutMs?': () =>
    service.close({ timeoutMS: 5 } as never),

  // Names of options of the adapters
  'toNodeHandler: linksecret is not an option; did you mean linkSecret?': () =>
    toNodeHandler(service, { authenticate, linksecret: 'hush'.repeat(9) }),
  'toFetchHandler: mountpath is not an option; did you mean mountPath?': () =>
    toFetchHandler(service, { authenticate, mountpath: '/media' }),
  'toExpressMiddleware: mountPath is not an option': () =>
    toExpressMiddleware(service, { authenticate, mountPath: '/media' }),
  'toExpressMiddleware: authentication is not an option; did you mean authenticate?': () =>
    toExpressMiddleware(service, { authentication: authenticate }),

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
  "esrganProvider: prices['esrgan-x3'] is not an option; did you mean esrgan-x2?": () =>
    esrganProvider({ prices: { 'esrgan-x3': 1 } }),
  'proceduralProvider: allowSimulations is not an option; did you mean allowSimulation?': () =>
    proceduralProvider({ allowSimulations: true }),
  'fakeProvider: latencyMS is not an option; did you mean latencyMs?': () => fakeProvider({ latencyMS: 5 }),
  'vendorClient: header is not an option; did you mean headers?': () =>
    vendorClient({ vendor: 'Acme', baseUrl, header: { a: token } }),
  'localTasks: keepBytes is not an option; did you mean keptBytes?': () =>
    localTasks({ make: async () => {}, close: async () => {}, keepBytes: 5 }),

  // Shapes of the parts of a service
  'createGenerationService: backend must be a backend such as sqliteBackend({ file }), not a text.': () =>
    createGenerationService({ providers, backend: 'data/hush.db' }),
  'createGenerationService: backend must be a backend such as sqliteBackend({ file }): its jobs.insert is not a function.':
    () => createGenerationService({ providers, backend: { jobs: {}, close() {} } }),
  'createGenerationService: backend must be a backend such as sqliteBackend({ file }), not a function. If it makes one, call it: memoryBackend().':
    () => createGenerationService({ providers, backend: core.memoryBackend }),
  'createGenerationService: backend must be a backend such as sqliteBackend({ file }), not a promise: await it.':
    () => createGenerationService({ providers, backend: Promise.resolve(core.memoryBackend()) }),
  'createGenerationService: files must be a file store such as diskFiles({ folder }): its put is not a function.':
    () => createGenerationService({ providers, files: {} }),
  'createGenerationService: spool must be a file store such as diskFiles({ folder }), not a text.': () =>
    createGenerationService({ providers, spool: './hush' }),
  'createGenerationService: files must be a file store such as diskFiles({ folder }): it has neither open nor link.':
    () => createGenerationService({ providers, files: { async put() {}, async delete() {} } }),
  'createGenerationService: log must be a log such as console: its warn is not a function.': () =>
    createGenerationService({ providers, log: {} }),
  'createGenerationService: log must be a log such as console, not a function.': () =>
    createGenerationService({ providers, log: console.log }),
  'createGenerationService: log must be a log such as console, not true.': () =>
    createGenerationService({ providers, log: true }),
  'createGenerationService: clock must be a clock such as systemClock(): its uptime is not a function.': () =>
    createGenerationService({ providers, clock: { now: Date.now } }),
  'sqliteBackend: clock must be a clock such as systemClock(), not a function. If it makes one, call it: systemClock().':
    () => sqliteBackend({ file: 'jobs.db', clock: core.systemClock }),
  'bullmqScheduler: connection must be the options of a client, such as { host, port }, or a Cluster of ioredis, not another client.':
    () => bullmqScheduler({ connection: { duplicate() {} } }),
  'bullmqScheduler: connection must have no keyPrefix': () =>
    bullmqScheduler({ connection: { port: 6379, keyPrefix: 'app:' } }),
  'bullmqScheduler: connection must have no keyPrefix, because BullMQ does not work with one.': () =>
    bullmqScheduler({ connection: { duplicate() {}, isCluster: true, options: { keyPrefix: 'app:' } } }),
  'bullmqScheduler: connection.url must be the URL of a Redis server': () =>
    bullmqScheduler({ connection: { url: undefined } }),
  'bullmqScheduler: queue must be the name of a queue, without colons and braces.': () =>
    bullmqScheduler({ connection: { port: 6379 }, queue: 'a:b' }),
  'bullmqScheduler: queue must be the name of a queue, without colons and braces': () =>
    bullmqScheduler({ connection: { port: 6379 }, queue: '{films}' }),
  'redisSignals: client must be an object such as new Redis() of ioredis, not a text.': () =>
    redisSignals({ client: 'redis://hush-1234@redis' }),
  'redisSignals: client must be a client such as new Redis() of ioredis: it lacks publish or duplicate.':
    () => redisSignals({ client: { host: 'redis' } }),
  'createGenerationService: limits.spendPerDay is not an option; did you mean spendUsdPerDay?': () =>
    createGenerationService({ providers, limits: { spendPerDay: 1 } }),
  'createGenerationService: limits.requestsPerMinute must be a whole number of at least 1, not 0.': () =>
    createGenerationService({ providers, limits: { requestsPerMinute: 0 } }),
  'createGenerationService: limits.runningJobs must be a whole number of at least 1, not 0.': () =>
    createGenerationService({ providers, limits: { runningJobs: 0 } }),
  'createGenerationService: limits.storedBytes must be a whole number of at least 1, not 0.5.': () =>
    createGenerationService({ providers, limits: { storedBytes: 0.5 } }),
  'createGenerationService: limits.storedBytes needs a job store with noteUpload(), as the service takes uploads.':
    () => {
      const { jobs, ...backend } = core.memoryBackend()
      const { noteUpload: _none, ...others } = jobs
      createGenerationService({
        providers,
        uploads: {},
        limits: { storedBytes: 5 },
        backend: { ...backend, jobs: others },
      })
    },
  'createGenerationService: requestCounter must be an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible, not an object.':
    () => createGenerationService({ providers, requestCounter: { incr: () => 1 } }),
  'createGenerationService: limits.spendUsdPerDay must be a number of at least 0, not a text.': () =>
    createGenerationService({ providers, limits: { spendUsdPerDay: '10 USD' } }),
  'createGenerationService: limits must be an object, not a number.': () =>
    createGenerationService({ providers, limits: 10 }),
  'createGenerationService: moderate must be an object, not a function.': () =>
    createGenerationService({ providers, moderate: () => 'allowed' }),
  'createGenerationService: moderate.output is not an option; did you mean outputs?': () =>
    createGenerationService({ providers, moderate: { output: () => 'allowed' } }),
  'createGenerationService: moderate.input must be a function, not a text.': () =>
    createGenerationService({ providers, moderate: { input: 'strict' } }),
  'createGenerationService: admit must be a function, not a list.': () =>
    createGenerationService({ providers, admit: ['alice'] }),
  'createGenerationService: retentionDays must be a whole number from 1 to 3650, not a text.': () =>
    createGenerationService({ providers, retentionDays: '7' }),
  'createGenerationService: retentionDays must be a whole number from 1 to 3650, not NaN.': () =>
    createGenerationService({ providers, retentionDays: Number.NaN }),
  'createGenerationService: uploads must be an object, not true.': () =>
    createGenerationService({ providers, uploads: true }),
  'createGenerationService: uploads.maxByte is not an option; did you mean maxBytes?': () =>
    createGenerationService({ providers, uploads: { maxByte: 5 } }),
  'createGenerationService: uploads.retentionHours must be longer than deadlineMs, which is 1 hours.': () =>
    createGenerationService({ providers, uploads: { retentionHours: 1 }, deadlineMs: 3_600_000 }),
  'createGenerationService: uploads needs a file store with list, such as diskFiles({ folder }).': () =>
    createGenerationService({
      providers,
      uploads: {},
      files: { ...core.memoryFileStore(), list: undefined },
    }),
  [`createGenerationService: keepOutputs must be 'mirror' or 'redirect', not "copy".`]: () =>
    createGenerationService({ providers, keepOutputs: 'copy' }),

  // Shapes of the list of providers
  'createGenerationService: providers must serve at least one model.': () =>
    createGenerationService({ providers: [] }),
  'createGenerationService: providers[0] (fake) and providers[1] (other) both serve the model fake-image: leave one out, or join them with routeModel().':
    () => createGenerationService({ providers: [fake, { ...fake, name: 'other' }] }),
  'routeModel: routes must be a list of at least one route { provider, model }.': () =>
    routeModel({ id: 'a', routes: [] }),
  'createGenerationService: providers[0] must be a provider such as proceduralProvider(), not a function. If it makes one, call it: proceduralProvider().':
    () => createGenerationService({ providers: [proceduralProvider] }),
  'createGenerationService: providers must be a list of providers such as [proceduralProvider()], not an object.':
    () => createGenerationService({ providers: fake }),
  'createGenerationService: providers[1] must be a provider such as proceduralProvider(): its submit is not a function.':
    () => createGenerationService({ providers: [fake, { token }] }),
  'routeModel: routes[0].provider must be a provider such as proceduralProvider(), not undefined.': () =>
    routeModel({ id: 'a', routes: [{ model: 'fake-image' }] }),
  'createGenerationService: the options must be an object, not a list.': () =>
    createGenerationService([fake]),
  'createGenerationService: providers must be a list of providers': () => createGenerationService(),

  // Shapes of adapters and their keys
  'toNodeHandler: authenticate must be a function such as apiKeys({ alice: key }), not undefined.': () =>
    toNodeHandler(service),
  'toFetchHandler: the options must be an object, not a function.': () =>
    toFetchHandler(service, authenticate),
  'toExpressMiddleware: authenticate must be what apiKeys({ alice: key }) returns, not apiKeys itself.': () =>
    toExpressMiddleware(service, { authenticate: node.apiKeys }),
  'toFetchHandler: service must be the result of createGenerationService. Mount what toFetchHandler(service, options) returns.':
    () => toFetchHandler(request),
  'toNodeHandler: service must be': () => toNodeHandler({ url: '/' }, { end() {} }),
  'toExpressMiddleware: service must be': () => toExpressMiddleware({ url: '/' }, { end() {} }, () => {}),
  'toNodeHandler: service must be the result of createGenerationService. Mount what toNodeHandler(service, options) returns.':
    () => toNodeHandler([fake], { authenticate }),
  'apiKeys: the keys must be an object such as { alice: key }, not a text.': () => apiKeys('hush'),
  'apiKeys: the keys must be an object such as { alice: key }, not undefined.': () => apiKeys(),
  'toNodeHandler: trustProxy must be true or false, not a text.': () =>
    toNodeHandler(service, { authenticate, trustProxy: 'true' }),
  'toNodeHandler: linkSecret must be a text of at least 32 characters or a Uint8Array of at least 32 bytes.':
    () => toNodeHandler(service, { authenticate, linkSecret: 'hush' }),
  'toNodeHandler: baseUrl must be the address in front of /v1, such as https://app.example/media.': () =>
    toNodeHandler(service, { authenticate, baseUrl: 'https://app.example/media/v1' }),
  'createGenerationService: callbackBaseUrl must be the address in front of /v1, such as https://app.example/media.':
    () => createGenerationService({ providers, callbackBaseUrl: 'https://app.example/v1/' }),
  "toFetchHandler: mountPath must be the path in front of /v1: '' or a path such as '/media', without a slash at its end.":
    () => toFetchHandler(service, { authenticate, mountPath: '/v1' }),
  'toFetchHandler: mountPath must be': () => toFetchHandler(service, { authenticate, mountPath: '/media/' }),

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
  'replicateProvider: token is missing; set REPLICATE_API_TOKEN': () =>
    replicateProvider({ token: undefined, models: { painter } }),
  'bflProvider: token is missing; set BFL_API_KEY': () =>
    bflProvider({ token: undefined, models: { flux: { endpoint: 'flux-2-pro', outputKind: 'image' } } }),
  'bflProvider: webhookSecret must be a secret of at least 16 visible ASCII characters.': () =>
    bflProvider({ token, models: { flux: { endpoint: 'a', outputKind: 'image' } }, webhookSecret: 'hush' }),
  'runwayProvider: token is missing; set RUNWAYML_API_SECRET': () =>
    runwayProvider({ token: '', models: { film: { model: 'gen4.5', outputKind: 'video' } } }),
  'falProvider: token is missing; set FAL_KEY': () => falProvider({ token: '', models: { flux } }),
  'openaiProvider: token is missing; set OPENAI_API_KEY': () => openaiProvider(),
  'googleProvider: token is missing; set GEMINI_API_KEY or GOOGLE_API_KEY': () =>
    googleProvider({ models: { nano: {} } }),
  'arkProvider: token is missing; set ARK_API_KEY': () =>
    arkProvider({ models: { it: { outputKind: 'image' } } }),
  'xaiProvider: token is missing; set XAI_API_KEY': () =>
    xaiProvider({ models: { it: { outputKind: 'image' } } }),
  [`xaiProvider: models['it'].task must be 'generate' or 'edit' or 'extend', not "upscale".`]: () =>
    xaiProvider({ token: 't', models: { it: { outputKind: 'video', task: 'upscale' } } }),
  'falProvider: token must be an API key': () => falProvider({ token: 'Key hush', models: { flux } }),
  'openaiProvider: token must be an API key: a text of visible ASCII characters, not empty and without spaces, not a number.':
    () => openaiProvider({ token: 7_654_321, models: { a: {} } }),
  'apiKeys: the key of "alice" is missing': () => apiKeys({ alice: '' }),
}

import { postgresBackend as typedPostgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend as typedSqliteBackend } from '@genmount/backend-sqlite'
import * as core from '@genmount/core'
import { toExpressMiddleware as typedExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler as typedFetchHandler } from '@genmount/fetch-handler'
import { diskFiles as typedDiskFiles } from '@genmount/files-disk'
import * as node from '@genmount/node-http'
import { modelTasks as typedModelTasks } from '@genmount/ai-sdk-tasks'
import { aiSdkProvider as typedAiSdkProvider } from '@genmount/provider-ai-sdk'
import { bflProvider as typedBflProvider } from '@genmount/provider-bfl'
import { arkProvider as typedArkProvider } from '@genmount/provider-ark'
import { comfyuiProvider as typedComfyuiProvider } from '@genmount/provider-comfyui'
import { esrganProvider as typedEsrganProvider } from '@genmount/provider-esrgan'
import { falProvider as typedFalProvider } from '@genmount/provider-fal'
import { googleProvider as typedGoogleProvider } from '@genmount/provider-google'
import { openaiProvider as typedOpenaiProvider } from '@genmount/provider-openai'
import { proceduralProvider as typedProceduralProvider } from '@genmount/provider-procedural'
import { replicateProvider as typedReplicateProvider } from '@genmount/provider-replicate'
import { runwayProvider as typedRunwayProvider } from '@genmount/provider-runway'
import { xaiProvider as typedXaiProvider } from '@genmount/provider-xai'
import * as bullmq from '@genmount/scheduler-bullmq'
import * as testing from '@genmount/testing'
import { vendorClient as typedVendorClient } from '@genmount/vendor-http'
import { localTasks as typedLocalTasks } from '@genmount/worker-tasks'

/** A function as plain JavaScript sees it: it takes anything. */
type Untyped = (...given: readonly unknown[]) => unknown
const untyped = (factory: unknown) => factory as Untyped

const createGenerationService = untyped(core.createGenerationService)
const memoryBackend = untyped(core.memoryBackend)
const memoryFileStore = untyped(core.memoryFileStore)
const routeModel = untyped(core.routeModel)
const postgresBackend = untyped(typedPostgresBackend)
const sqliteBackend = untyped(typedSqliteBackend)
const diskFiles = untyped(typedDiskFiles)
const bullmqScheduler = untyped(bullmq.bullmqScheduler)
const redisSignals = untyped(bullmq.redisSignals)
const toNodeHandler = untyped(node.toNodeHandler)
const apiKeys = untyped(node.apiKeys)
const toFetchHandler = untyped(typedFetchHandler)
const toExpressMiddleware = untyped(typedExpressMiddleware)
const aiSdkProvider = untyped(typedAiSdkProvider)
const modelTasks = untyped(typedModelTasks)
const bflProvider = untyped(typedBflProvider)
const arkProvider = untyped(typedArkProvider)
const comfyuiProvider = untyped(typedComfyuiProvider)
const esrganProvider = untyped(typedEsrganProvider)
const falProvider = untyped(typedFalProvider)
const googleProvider = untyped(typedGoogleProvider)
const openaiProvider = untyped(typedOpenaiProvider)
const proceduralProvider = untyped(typedProceduralProvider)
const replicateProvider = untyped(typedReplicateProvider)
const runwayProvider = untyped(typedRunwayProvider)
const xaiProvider = untyped(typedXaiProvider)
const fakeProvider = untyped(testing.fakeProvider)
const vendorClient = untyped(typedVendorClient)
const localTasks = untyped(typedLocalTasks)

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

/** Mistakes that apps make in options: a name of the mistake, the call, and the text that the error must contain. */
export const mistakes: readonly (readonly [string, () => unknown, string | RegExp])[] = [
  // Names of options of the service, its stores and its routes
  [
    'backends for backend',
    () => createGenerationService({ providers, backends: core.memoryBackend() }),
    'createGenerationService: backends is not an option; did you mean backend?',
  ],
  [
    'a misspelt option that is undefined',
    () => createGenerationService({ providers, callbackBaseURL: undefined }),
    'callbackBaseURL is not an option; did you mean callbackBaseUrl?',
  ],
  [
    'a part of the name of an option',
    () => createGenerationService({ providers, retention: 7 }),
    'retention is not an option; did you mean retentionDays?',
  ],
  [
    'an option that is nothing like one',
    () => memoryBackend({ redis: 'hush' }),
    'memoryBackend: redis is not an option; the options are maxJobs, maxBytes, clock.',
  ],
  ['maxByte for maxBytes', () => memoryFileStore({ maxByte: 1 }), 'did you mean maxBytes?'],
  [
    'a URL for a pool',
    () => postgresBackend({ pool: 'postgres://alice:hush@db.local/jobs' }),
    'postgresBackend: pool must be a pool such as new Pool() of pg, not a text.',
  ],
  [
    'a name that would need quotes for a schema',
    () => postgresBackend({ pool: { connect() {} }, schema: 'My Jobs' }),
    'postgresBackend: schema must be the name of a Postgres schema: at most 40 small letters, digits and underscores.',
  ],
  [
    'true for migrate',
    () => postgresBackend({ pool: { connect() {} }, migrate: true }),
    "postgresBackend: migrate must be 'auto' or 'check', not true.",
  ],
  [
    'a scheduler that was not made',
    () => postgresBackend({ pool: { connect() {} }, scheduler: core.timerScheduler }),
    'postgresBackend: scheduler must be a scheduler such as bullmqScheduler(), not a function.',
  ],
  ['path for file', () => sqliteBackend({ path: 'jobs.db' }), 'sqliteBackend: path is not an option'],
  [
    'client for connection',
    () => bullmqScheduler({ client: {} }),
    'bullmqScheduler: client is not an option',
  ],
  [
    'connection for client',
    () => redisSignals({ connection: {} }),
    'redisSignals: connection is not an option',
  ],
  [
    'folders for folder',
    () => diskFiles({ folders: 'data' }),
    'diskFiles: folders is not an option; did you mean folder?',
  ],
  [
    'ids for id',
    () => routeModel({ ids: 'a', routes: [route] }),
    'routeModel: ids is not an option; did you mean id?',
  ],
  [
    'map_input for mapInput of a route',
    () => routeModel({ id: 'a', routes: [{ ...route, map_input: () => ({}) }] }),
    'routeModel: routes[0].map_input is not an option; did you mean mapInput?',
  ],
  [
    'a misspelt option of close',
    () => service.close({ timeoutMS: 5 } as never),
    'close: timeoutMS is not an option; did you mean timeoutMs?',
  ],

  // Names of options of the adapters
  [
    'linksecret of node:http',
    () => toNodeHandler(service, { authenticate, linksecret: 'hush'.repeat(9) }),
    'toNodeHandler: linksecret is not an option; did you mean linkSecret?',
  ],
  [
    'mountpath of a fetch handler',
    () => toFetchHandler(service, { authenticate, mountpath: '/media' }),
    'toFetchHandler: mountpath is not an option; did you mean mountPath?',
  ],
  [
    'mountPath of Express, which tells it itself',
    () => toExpressMiddleware(service, { authenticate, mountPath: '/media' }),
    'toExpressMiddleware: mountPath is not an option',
  ],
  [
    'authentication for authenticate',
    () => toExpressMiddleware(service, { authentication: authenticate }),
    'did you mean authenticate?',
  ],

  // Names of options of the providers and their models
  [
    'baseURL of fal',
    () => falProvider({ token, models: { flux }, baseURL: 'https://proxy.example' }),
    'falProvider: baseURL is not an option; did you mean baseUrl?',
  ],
  [
    'apiKey for token',
    () => openaiProvider({ apiKey: token, models: { a: {} } }),
    'openaiProvider: apiKey is not an option; the options are token,',
  ],
  [
    'webhooksecret of Replicate',
    () => replicateProvider({ token, models: { painter }, webhooksecret: 'whsec_hush' }),
    'did you mean webhookSecret?',
  ],
  [
    'an underscore in an option of a model',
    () => replicateProvider({ token, models: { painter: { ...painter, price_unit: 'output' } } }),
    "replicateProvider: models['painter'].price_unit is not an option; did you mean priceUnit?",
  ],
  [
    'an address for an endpoint of Black Forest Labs',
    () => bflProvider({ token, models: { flux: { endpoint: '/v1/flux-2-pro', outputKind: 'image' } } }),
    "bflProvider: models['flux'].endpoint must be the name of an endpoint of Black Forest Labs, such as flux-2-pro.",
  ],
  [
    'an address for an endpoint of Runway',
    () =>
      runwayProvider({ token, models: { a: { model: 'a', endpoint: '/v1/upscale', outputKind: 'image' } } }),
    "runwayProvider: models['a'].endpoint must be the name of an endpoint of Runway, such as image_upscale.",
  ],
  [
    'endpont of a model of fal',
    () => falProvider({ token, models: { flux: { ...flux, endpont: 'a/b' } } }),
    "falProvider: models['flux'].endpont is not an option; did you mean endpoint?",
  ],
  [
    'a wrong case in an option of a model of Google',
    () => googleProvider({ token, models: { nano: { Price: 0.1 } } }),
    "googleProvider: models['nano'].Price is not an option; did you mean price?",
  ],
  [
    'swapped letters in an option of a model of OpenAI',
    () => openaiProvider({ token, models: { a: { typcialMs: 5 } } }),
    'did you mean typicalMs?',
  ],
  [
    'maxOutput for maxOutputs of a model of the AI SDK',
    () => aiSdkProvider({ models: { a: { model: imageModel, maxOutput: 2 } } }),
    "aiSdkProvider: models['a'].maxOutput is not an option; did you mean maxOutputs?",
  ],
  [
    'secret for secrets',
    () => aiSdkProvider({ models: { a: imageModel }, secret: [token] }),
    'did you mean secrets?',
  ],
  [
    'price for costOf of the tasks of a model',
    () => modelTasks(imageModel, { price: 0.04 }),
    'modelTasks: price is not an option',
  ],
  [
    'no model at all',
    () => modelTasks('openai/gpt-image-1'),
    'modelTasks: model must be an image or video model',
  ],
  [
    'outputNode of a workflow',
    () => comfyuiProvider({ baseUrl, models: { fox: { ...fox, outputNode: ['6'] } } }),
    "comfyuiProvider: models['fox'].outputNode is not an option; did you mean outputNodes?",
  ],
  [
    'price for prices of a provider',
    () => esrganProvider({ price: 1 }),
    'esrganProvider: price is not an option; did you mean prices?',
  ],
  [
    'a price of a model that is not there',
    () => esrganProvider({ prices: { 'esrgan-x3': 1 } }),
    "esrganProvider: prices['esrgan-x3'] is not an option; did you mean esrgan-x2?",
  ],
  [
    'allowSimulations for allowSimulation',
    () => proceduralProvider({ allowSimulations: true }),
    'proceduralProvider: allowSimulations is not an option; did you mean allowSimulation?',
  ],
  [
    'latencyMS of the fake',
    () => fakeProvider({ latencyMS: 5 }),
    'fakeProvider: latencyMS is not an option; did you mean latencyMs?',
  ],
  [
    'header for headers',
    () => vendorClient({ vendor: 'Acme', baseUrl, header: { a: token } }),
    'vendorClient: header is not an option; did you mean headers?',
  ],
  [
    'keepBytes for keptBytes',
    () => localTasks({ make: async () => {}, close: async () => {}, keepBytes: 5 }),
    'localTasks: keepBytes is not an option; did you mean keptBytes?',
  ],

  // Shapes of the parts of a service
  [
    'a path for the backend',
    () => createGenerationService({ providers, backend: 'data/hush.db' }),
    'createGenerationService: backend must be a backend such as sqliteBackend({ file }), not a text.',
  ],
  [
    'half a backend',
    () => createGenerationService({ providers, backend: { jobs: {}, close() {} } }),
    'backend must be a backend such as sqliteBackend({ file }): its jobs.insert is not a function.',
  ],
  [
    'a backend that was not called',
    () => createGenerationService({ providers, backend: core.memoryBackend }),
    'createGenerationService: backend must be a backend such as sqliteBackend({ file }), not a function. If it makes one, call it: memoryBackend().',
  ],
  [
    'a promise of a backend',
    () => createGenerationService({ providers, backend: Promise.resolve(core.memoryBackend()) }),
    'not a promise: await it',
  ],
  [
    'nothing for files',
    () => createGenerationService({ providers, files: {} }),
    'files must be a file store such as diskFiles({ folder }): its put is not a function.',
  ],
  [
    'a folder for spool',
    () => createGenerationService({ providers, spool: './hush' }),
    'spool must be a file store such as diskFiles({ folder }), not a text.',
  ],
  [
    'files from which nothing can be read',
    () => createGenerationService({ providers, files: { async put() {}, async delete() {} } }),
    'files must be a file store such as diskFiles({ folder }): it has neither open nor link.',
  ],
  [
    'nothing for log',
    () => createGenerationService({ providers, log: {} }),
    'log must be a log such as console: its',
  ],
  [
    'one function for log',
    () => createGenerationService({ providers, log: console.log }),
    'createGenerationService: log must be a log such as console, not a function.',
  ],
  [
    'true for log',
    () => createGenerationService({ providers, log: true }),
    'log must be a log such as console, not true.',
  ],
  [
    'Date for clock',
    () => createGenerationService({ providers, clock: { now: Date.now } }),
    'clock must be a clock such as systemClock(): its uptime is not a function.',
  ],
  [
    'a clock that was not called',
    () => sqliteBackend({ file: 'jobs.db', clock: core.systemClock }),
    'sqliteBackend: clock must be a clock such as systemClock(), not a function. If it makes one, call it: systemClock().',
  ],
  [
    'a client for the connection of BullMQ',
    () => bullmqScheduler({ connection: { duplicate() {} } }),
    'bullmqScheduler: connection must be the options of a client, such as { host, port }, or a Cluster of ioredis, not another client.',
  ],
  [
    'a prefix of all keys in the options for BullMQ',
    () => bullmqScheduler({ connection: { port: 6379, keyPrefix: 'app:' } }),
    'bullmqScheduler: connection must have no keyPrefix',
  ],
  [
    'a prefix of all keys in the cluster for BullMQ',
    () =>
      bullmqScheduler({ connection: { duplicate() {}, isCluster: true, options: { keyPrefix: 'app:' } } }),
    'bullmqScheduler: connection must have no keyPrefix',
  ],
  [
    'an environment without the URL of Redis',
    () => bullmqScheduler({ connection: { url: undefined } }),
    'bullmqScheduler: connection.url must be the URL of a Redis server',
  ],
  [
    'a colon in the name of a queue',
    () => bullmqScheduler({ connection: { port: 6379 }, queue: 'a:b' }),
    'bullmqScheduler: queue must be the name of a queue, without colons and braces.',
  ],
  [
    'the hash tag of a cluster in the name of a queue',
    () => bullmqScheduler({ connection: { port: 6379 }, queue: '{films}' }),
    'bullmqScheduler: queue must be the name of a queue, without colons and braces.',
  ],
  [
    'a URL for the client of signals',
    () => redisSignals({ client: 'redis://hush-1234@redis' }),
    'redisSignals: client must be an object such as new Redis() of ioredis, not a text.',
  ],
  [
    'options for the client of signals',
    () => redisSignals({ client: { host: 'redis' } }),
    'redisSignals: client must be a client such as new Redis() of ioredis: it lacks publish or duplicate.',
  ],
  [
    'a misspelt limit',
    () => createGenerationService({ providers, limits: { spendPerDay: 1 } }),
    'createGenerationService: limits.spendPerDay is not an option; did you mean spendUsdPerDay?',
  ],
  [
    'no requests at all',
    () => createGenerationService({ providers, limits: { requestsPerMinute: 0 } }),
    'createGenerationService: limits.requestsPerMinute must be a whole number of at least 1, not 0.',
  ],
  [
    'no jobs at all',
    () => createGenerationService({ providers, limits: { runningJobs: 0 } }),
    'createGenerationService: limits.runningJobs must be a whole number of at least 1, not 0.',
  ],
  [
    'a part of a byte',
    () => createGenerationService({ providers, limits: { storedBytes: 0.5 } }),
    'createGenerationService: limits.storedBytes must be a whole number of at least 1, not 0.5.',
  ],
  [
    'a limit of bytes for uploads that the job store can not count',
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
    'createGenerationService: limits.storedBytes needs a job store with noteUpload(), as the service takes uploads.',
  ],
  [
    'a Redis client for requestCounter',
    () => createGenerationService({ providers, requestCounter: { incr: () => 1 } }),
    'createGenerationService: requestCounter must be an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible, not an object.',
  ],
  [
    'a limit in words',
    () => createGenerationService({ providers, limits: { spendUsdPerDay: '10 USD' } }),
    'createGenerationService: limits.spendUsdPerDay must be a number of at least 0, not a text.',
  ],
  [
    'a figure for limits',
    () => createGenerationService({ providers, limits: 10 }),
    'createGenerationService: limits must be an object, not a number.',
  ],
  [
    'moderate as one function',
    () => createGenerationService({ providers, moderate: () => 'allowed' }),
    'createGenerationService: moderate must be an object, not a function.',
  ],
  [
    'output for moderate.outputs',
    () => createGenerationService({ providers, moderate: { output: () => 'allowed' } }),
    'createGenerationService: moderate.output is not an option; did you mean outputs?',
  ],
  [
    'a word for moderate.input',
    () => createGenerationService({ providers, moderate: { input: 'strict' } }),
    'createGenerationService: moderate.input must be a function, not a text.',
  ],
  [
    'a list of owners for admit',
    () => createGenerationService({ providers, admit: ['alice'] }),
    'createGenerationService: admit must be a function, not a list.',
  ],
  [
    'a text for a number',
    () => createGenerationService({ providers, retentionDays: '7' }),
    'retentionDays must be a whole number from 1 to 3650, not a text.',
  ],
  [
    'a number of days that is none',
    () => createGenerationService({ providers, retentionDays: Number.NaN }),
    'not NaN.',
  ],
  [
    'uploads that are switched on by a word',
    () => createGenerationService({ providers, uploads: true }),
    'createGenerationService: uploads must be an object, not true.',
  ],
  [
    'a size of uploads that is no option',
    () => createGenerationService({ providers, uploads: { maxByte: 5 } }),
    'createGenerationService: uploads.maxByte is not an option; did you mean maxBytes?',
  ],
  [
    'uploads that expire before their jobs may have ended',
    () => createGenerationService({ providers, uploads: { retentionHours: 1 }, deadlineMs: 3_600_000 }),
    'uploads.retentionHours must be longer than deadlineMs, which is 1 hours.',
  ],
  [
    'uploads into a file store that can not list them',
    () =>
      createGenerationService({
        providers,
        uploads: {},
        files: { ...core.memoryFileStore(), list: undefined },
      }),
    'uploads needs a file store with list',
  ],
  [
    'a word that there is not',
    () => createGenerationService({ providers, keepOutputs: 'copy' }),
    "keepOutputs must be 'mirror' or 'redirect'",
  ],

  // Shapes of the list of providers
  [
    'no provider at all',
    () => createGenerationService({ providers: [] }),
    'createGenerationService: providers must serve at least one model.',
  ],
  [
    'one model of two providers',
    () => createGenerationService({ providers: [fake, { ...fake, name: 'other' }] }),
    'createGenerationService: providers[0] (fake) and providers[1] (other) both serve the model fake-image: leave one out, or join them with routeModel().',
  ],
  [
    'a model without a route',
    () => routeModel({ id: 'a', routes: [] }),
    'routeModel: routes must be a list of at least one route { provider, model }.',
  ],
  [
    'a provider that was not called',
    () => createGenerationService({ providers: [typedProceduralProvider] }),
    'createGenerationService: providers[0] must be a provider such as proceduralProvider(), not a function. If it makes one, call it: proceduralProvider().',
  ],
  [
    'one provider for a list',
    () => createGenerationService({ providers: fake }),
    'providers must be a list of providers such as [proceduralProvider()], not an object.',
  ],
  [
    'options for a provider',
    () => createGenerationService({ providers: [fake, { token }] }),
    'providers[1] must be a provider such as proceduralProvider(): its submit is not a function.',
  ],
  [
    'no provider in a route',
    () => routeModel({ id: 'a', routes: [{ model: 'fake-image' }] }),
    'routeModel: routes[0].provider must be a provider such as proceduralProvider(), not undefined.',
  ],
  [
    'a list for the options',
    () => createGenerationService([fake]),
    'createGenerationService: the options must be an object, not a list.',
  ],
  [
    'no options of a service',
    () => createGenerationService(),
    'createGenerationService: providers must be a list of providers',
  ],

  // Shapes of adapters and their keys
  [
    'no options of an adapter',
    () => toNodeHandler(service),
    'toNodeHandler: authenticate must be a function such as apiKeys({ alice: key }), not undefined.',
  ],
  [
    'the keys for the options',
    () => toFetchHandler(service, authenticate),
    'toFetchHandler: the options must be an object, not a function.',
  ],
  [
    'apiKeys that was not called',
    () => toExpressMiddleware(service, { authenticate: node.apiKeys }),
    'toExpressMiddleware: authenticate must be what apiKeys({ alice: key }) returns, not apiKeys itself.',
  ],
  [
    'a handler that was mounted without being called',
    () => toFetchHandler(request),
    'toFetchHandler: service must be the result of createGenerationService. Mount what toFetchHandler(service, options) returns.',
  ],
  [
    'a listener that was not called',
    () => toNodeHandler({ url: '/' }, { end() {} }),
    'toNodeHandler: service must be',
  ],
  [
    'a middleware that was not called',
    () => toExpressMiddleware({ url: '/' }, { end() {} }, () => {}),
    'toExpressMiddleware: service must be',
  ],
  [
    'providers for a service',
    () => toNodeHandler([fake], { authenticate }),
    'toNodeHandler: service must be',
  ],
  [
    'one key for the keys',
    () => apiKeys('hush'),
    'apiKeys: the keys must be an object such as { alice: key }, not a text.',
  ],
  ['no keys', () => apiKeys(), 'apiKeys: the keys must be an object such as { alice: key }, not undefined.'],
  [
    'a text for trustProxy',
    () => toNodeHandler(service, { authenticate, trustProxy: 'true' }),
    'trustProxy must be true or false, not a text.',
  ],
  [
    'a short secret',
    () => toNodeHandler(service, { authenticate, linkSecret: 'hush' }),
    'toNodeHandler: linkSecret must be a text of at least 32 characters or a Uint8Array of at least 32 bytes.',
  ],
  [
    'the address of /v1 for the address in front of it',
    () => toNodeHandler(service, { authenticate, baseUrl: 'https://app.example/media/v1' }),
    'toNodeHandler: baseUrl must be the address in front of /v1, such as https://app.example/media.',
  ],
  [
    'the address of /v1 for callbacks',
    () => createGenerationService({ providers, callbackBaseUrl: 'https://app.example/v1/' }),
    'createGenerationService: callbackBaseUrl must be the address in front of /v1, such as https://app.example/media.',
  ],
  [
    '/v1 for the path above it',
    () => toFetchHandler(service, { authenticate, mountPath: '/v1' }),
    "toFetchHandler: mountPath must be the path in front of /v1: '' or a path such as '/media', without a slash at its end.",
  ],
  [
    'a mount path with a slash at its end',
    () => toFetchHandler(service, { authenticate, mountPath: '/media/' }),
    'toFetchHandler: mountPath must be',
  ],

  // Shapes of the options of providers
  [
    'a URL for fetch',
    () => falProvider({ token, models: { flux }, fetch: 'https://hush.example' }),
    'falProvider: fetch must be a function such as globalThis.fetch, not a text.',
  ],
  [
    'Headers for headers',
    () => openaiProvider({ token, models: { a: {} }, headers: new Headers({ a: 'hush' }) }),
    "openaiProvider: headers must be an object such as { 'x-team': 'media' }, not an iterable.",
  ],
  [
    'a list for a header',
    () => replicateProvider({ token, models: { painter }, headers: { cookie: ['hush'] } }),
    "replicateProvider: headers['cookie'] must be a text that HTTP can send.",
  ],
  [
    'a header that can not be sent',
    () => vendorClient({ vendor: 'Acme', baseUrl, headers: { cookie: 'hush\n!' } }),
    "vendorClient: headers['cookie'] must be a text that HTTP can send.",
  ],
  [
    'a password in a URL',
    () => comfyuiProvider({ baseUrl: 'http://me:hush@comfy', models: { fox } }),
    'comfyuiProvider: baseUrl must be an http or https URL',
  ],
  [
    'a list of models without ids',
    () => googleProvider({ token, models: ['nano'] }),
    'googleProvider: models[0].id must be the public id of a model, without spaces around it',
  ],
  [
    'the name of a model for its options',
    () => falProvider({ token, models: { flux: 'fal-ai/flux/dev' } }),
    "falProvider: models['flux'] must be an object, not a text.",
  ],
  [
    'a fetch for files that is none',
    () => diskFiles({ folder: 'data', fetch: {} }),
    'diskFiles: fetch must be a function such as guardedFetch, not an object.',
  ],
  [
    'a number of workers',
    () => proceduralProvider({ workers: true }),
    'proceduralProvider: workers must be a whole number from 1 to 64, not true.',
  ],

  // Secrets that are missing or wrong
  [
    'no token of Replicate',
    () => replicateProvider({ token: undefined, models: { painter } }),
    'replicateProvider: token is missing; set REPLICATE_API_TOKEN',
  ],
  [
    'no token of Black Forest Labs',
    () =>
      bflProvider({ token: undefined, models: { flux: { endpoint: 'flux-2-pro', outputKind: 'image' } } }),
    'bflProvider: token is missing; set BFL_API_KEY',
  ],
  [
    'a short secret of webhooks of Black Forest Labs',
    () =>
      bflProvider({ token, models: { flux: { endpoint: 'a', outputKind: 'image' } }, webhookSecret: 'hush' }),
    'bflProvider: webhookSecret must be a secret of at least 16 visible ASCII characters.',
  ],
  [
    'no token of Runway',
    () => runwayProvider({ token: '', models: { film: { model: 'gen4.5', outputKind: 'video' } } }),
    'runwayProvider: token is missing; set RUNWAYML_API_SECRET',
  ],
  [
    'an empty token of fal',
    () => falProvider({ token: '', models: { flux } }),
    'falProvider: token is missing; set FAL_KEY',
  ],
  ['no options of OpenAI', () => openaiProvider(), 'openaiProvider: token is missing; set OPENAI_API_KEY'],
  [
    'no token of Google',
    () => googleProvider({ models: { nano: {} } }),
    'googleProvider: token is missing; set GEMINI_API_KEY or GOOGLE_API_KEY',
  ],
  [
    'no token of ModelArk',
    () => arkProvider({ models: { it: { outputKind: 'image' } } }),
    'arkProvider: token is missing; set ARK_API_KEY',
  ],
  [
    'no token of xAI',
    () => xaiProvider({ models: { it: { outputKind: 'image' } } }),
    'xaiProvider: token is missing; set XAI_API_KEY',
  ],
  [
    'a task of xAI that is none',
    () => xaiProvider({ token: 't', models: { it: { outputKind: 'video', task: 'upscale' } } }),
    "xaiProvider: models['it'].task must be 'generate' or 'edit' or 'extend', not \"upscale\".",
  ],
  [
    'a token with its scheme',
    () => falProvider({ token: 'Key hush', models: { flux } }),
    'falProvider: token must be an API key',
  ],
  [
    'a number for a token',
    () => openaiProvider({ token: 7_654_321, models: { a: {} } }),
    /^openaiProvider: token must be an API key(?!.*7654321)/,
  ],
  ['an empty key of an owner', () => apiKeys({ alice: '' }), 'apiKeys: the key of "alice" is missing'],
]

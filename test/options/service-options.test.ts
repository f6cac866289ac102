import * as core from '@genmount/core'
import * as node from '@genmount/node-http'
import * as testing from '@genmount/testing'
import { testMistakes } from './test-mistakes.ts'

/** Factories as plain JavaScript sees them: they take anything. */
function untyped<Factories extends object>(factories: Factories) {
  return factories as { readonly [Name in keyof Factories]: (...options: readonly unknown[]) => unknown }
}

const { createGenerationService, memoryBackend, memoryFileStore, routeModel } = untyped(core)
const { toNodeHandler, apiKeys } = untyped(node)
const { callbacks } = untyped(await import('@genmount/core/callbacks'))
const { limits } = untyped(await import('@genmount/core/limits'))
const { usage } = untyped(await import('@genmount/core/usage'))
const { moderation } = untyped(await import('@genmount/core/moderation'))
const { uploads } = untyped(await import('@genmount/core/uploads'))
const { bullmqScheduler, redisSignals } = untyped(await import('@genmount/scheduler-bullmq'))
const { postgresBackend } = untyped(await import('@genmount/backend-postgres'))
const { sqliteBackend } = untyped(await import('@genmount/backend-sqlite'))
const { toExpressMiddleware } = untyped(await import('@genmount/express-middleware'))
const { toFetchHandler } = untyped(await import('@genmount/fetch-handler'))
const { diskFiles } = untyped(await import('@genmount/files-disk'))
const { proceduralProvider } = untyped(await import('@genmount/provider-procedural'))

const fake = testing.fakeProvider()
const providers = [fake]
const service = core.createGenerationService({ providers: [fake] })
const authenticate = node.apiKeys({ alice: 'alice-key' })
const token = 'hush-1234'
const route = { provider: fake, model: 'fake-image' }
const request = new Request('http://app.example/v1/jobs/1')

/** Mistakes that apps make in options: the text that the error must contain, and the call that makes the mistake. */
const mistakes: Readonly<Record<string, () => unknown>> = {
  // Names of options of the service, its stores and its routes
  'createGenerationService: backends is not an option; did you mean backend?': () =>
    createGenerationService({ providers, backends: core.memoryBackend() }),
  'callbacks: baseURL is not an option; did you mean baseUrl?': () => callbacks({ baseURL: undefined }),
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
  'limits: spendPerDay is not an option; did you mean spendUsdPerDay?': () => limits({ spendPerDay: 1 }),
  'limits: requestsPerMinute must be a whole number of at least 1, not 0.': () =>
    limits({ requestsPerMinute: 0 }),
  'limits: runningJobs must be a whole number of at least 1, not 0.': () => limits({ runningJobs: 0 }),
  'limits: storedBytes must be a whole number of at least 1, not 0.5.': () => limits({ storedBytes: 0.5 }),
  'limits: storedBytes needs a job store with storedBytes() and noteUpload().': () => {
    const { jobs, ...backend } = core.memoryBackend()
    const { noteUpload: _none, ...others } = jobs
    createGenerationService({
      providers,
      plugins: [limits({ storedBytes: 5 })],
      backend: { ...backend, jobs: others },
    })
  },
  'limits: requestCounter must be an object with consume(), such as a RateLimiterRedis of rate-limiter-flexible, not an object.':
    () => limits({}, { requestCounter: { incr: () => 1 } }),
  'limits: spendUsdPerDay must be a number of at least 0, not a text.': () =>
    limits({ spendUsdPerDay: '10 USD' }),
  'limits: the options must be an object, not a number.': () => limits(10),
  'usage needs a backend with a ledger: the job store must have costs().': () => {
    const { jobs, ...backend } = core.memoryBackend()
    const { costs: _none, ...others } = jobs
    createGenerationService({ providers, plugins: [usage()], backend: { ...backend, jobs: others } })
  },
  'createGenerationService: the plugin mine adds a method close, which the service has already.': () =>
    createGenerationService({
      providers,
      plugins: [{ name: 'mine', attach: () => ({ methods: { close: () => {} } }) }],
    }),
  'plugin mine: hooks.methods must be an object of functions, not an object.': () =>
    createGenerationService({
      providers,
      plugins: [{ name: 'mine', attach: () => ({ methods: { total: 5 } }) }],
    }),
  'moderation: the options must be an object, not a function.': () => moderation(() => 'allowed'),
  'moderation: output is not an option; did you mean outputs?': () => moderation({ output: () => 'allowed' }),
  'moderation: input must be a function, not a text.': () => moderation({ input: 'strict' }),
  'createGenerationService: admit must be a function, not a list.': () =>
    createGenerationService({ providers, admit: ['alice'] }),
  'createGenerationService: retentionDays must be a whole number from 1 to 3650, not a text.': () =>
    createGenerationService({ providers, retentionDays: '7' }),
  'createGenerationService: retentionDays must be a whole number from 1 to 3650, not NaN.': () =>
    createGenerationService({ providers, retentionDays: Number.NaN }),
  'uploads: the options must be an object, not true.': () => uploads(true),
  'uploads: maxByte is not an option; did you mean maxBytes?': () => uploads({ maxByte: 5 }),
  'uploads: retentionHours must be longer than deadlineMs, which is 1 hours.': () =>
    createGenerationService({ providers, plugins: [uploads({ retentionHours: 1 })], deadlineMs: 3_600_000 }),
  'uploads needs a file store with list, such as diskFiles({ folder }).': () =>
    createGenerationService({
      providers,
      plugins: [uploads()],
      files: { ...core.memoryFileStore(), list: undefined },
    }),

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
  'callbacks: baseUrl must be the address in front of /v1, such as https://app.example/media.': () =>
    callbacks({ baseUrl: 'https://app.example/v1/' }),
  "toFetchHandler: mountPath must be the path in front of /v1: '' or a path such as '/media', without a slash at its end.":
    () => toFetchHandler(service, { authenticate, mountPath: '/v1' }),
  'toFetchHandler: mountPath must be': () => toFetchHandler(service, { authenticate, mountPath: '/media/' }),
}

testMistakes(mistakes)

import { createGenerationService, memoryBackend, type Provider, routeModel } from '@genmount/core'
import { bflProvider } from '@genmount/provider-bfl'
import { arkProvider } from '@genmount/provider-ark'
import { falProvider } from '@genmount/provider-fal'
import { googleProvider } from '@genmount/provider-google'
import { openaiProvider } from '@genmount/provider-openai'
import { replicateProvider } from '@genmount/provider-replicate'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'

// When a vendor refuses a task: what operators read in the log, what owners read, and whether the service tries another
// route.

const token = 'key-id:0123456789abcdef-secret'

type Answers = (status: number, body: unknown) => Provider
const answering = (status: number, body: unknown) => async () => Response.json(body, { status })
const fal: Answers = (status, body) =>
  falProvider({
    token,
    fetch: answering(status, body),
    models: { it: { endpoint: 'fal-ai/veo3', outputKind: 'image' } },
  })
const bfl: Answers = (status, body) =>
  bflProvider({
    token,
    fetch: answering(status, body),
    models: { it: { endpoint: 'flux-2-pro', outputKind: 'image' } },
  })
const openai: Answers = (status, body) =>
  openaiProvider({ token, fetch: answering(status, body), models: { it: { model: 'gpt-image-2' } } })
const google: Answers = (status, body) =>
  googleProvider({
    token,
    fetch: answering(status, body),
    models: { it: { model: 'gemini-nano-banana-2.1' } },
  })
const replicate: Answers = (status, body) =>
  replicateProvider({
    token,
    fetch: answering(status, body),
    models: { it: { model: 'acme/painter', outputKind: 'image' } },
  })

const runway: Answers = (status, body) =>
  runwayProvider({
    token,
    fetch: answering(status, body),
    models: { it: { model: 'gen4_image', outputKind: 'image' } },
  })
const ark: Answers = (status, body) =>
  arkProvider({
    token,
    fetch: answering(status, body),
    models: { it: { model: 'seedream-4-5-251128', outputKind: 'image' } },
  })
const xai: Answers = (status, body) =>
  xaiProvider({
    token,
    fetch: answering(status, body),
    models: { it: { model: 'grok-imagine-image', outputKind: 'image' } },
  })

/** Runs one job for one minute with the provider, or with a second provider if the first one refuses the job. */
async function outcomeOf(provider: Provider, hasSecond: boolean) {
  const clock = manualClock()
  const second = fakeProvider({ clock })
  const log = quietLog()
  const routes = [{ provider, model: 'it' }]
  const spare = { provider: second, model: 'fake-image', mapInput: () => ({ prompt: 'a fox' }) }
  const backend = memoryBackend({ clock })
  const service = createGenerationService({
    providers: [routeModel({ id: 'routed', routes: hasSecond ? [...routes, spare] : routes })],
    backend,
    clock,
    log,
  })
  service.start()
  const { job } = await service.create({ owner: 'alice', model: 'routed', input: { prompt: 'a fox' } })
  for (let second = 0; second < 60; second++) {
    await clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const found = (await backend.jobs.get(job.id))!
  await service.close()
  const lines = log.lines.join('\n')
  return { verdict: found.error?.code ?? found.phase, told: found.error?.message, lines }
}

const noCredit = 'The account of this service at the provider has no credit left.'
const noAccess = 'The provider does not accept the credentials of this service.'

/** Each with its source: the answer, what the owner reads, and what the log has of the vendor's words. */
const refusals: readonly (readonly [string, Provider, string, string])[] = [
  [
    // github.com/fal-ai/fal/issues/1147, 1162, 1163 (2026-08 and 2026-09)
    'the lock of fal for want of credit',
    fal(403, {
      detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing',
    }),
    noCredit,
    'Exhausted balance. Top up your balance',
  ],
  [
    // github.com/fal-ai/fal/issues/1163 (2026-09)
    'the other words of fal for want of credit',
    fal(403, { detail: 'User is locked. Reason: TOP_UP.' }),
    noCredit,
    'Reason: TOP_UP.',
  ],
  [
    // github.com/fal-ai/fal/issues/1168 (2026-09)
    'the lock of fal by an administrator',
    fal(403, { detail: 'User is locked. Reason: Admin lock. Please contact support@fal.ai' }),
    'The provider has locked the account of this service.',
    'Admin lock. Please contact support@fal.ai',
  ],
  [
    // github.com/openai-php/client/issues/565; receptron/mulmocast-app#1090 (2025-10) has the status
    'an organisation that OpenAI has not verified',
    openai(403, {
      error: {
        message:
          'Your organization must be verified to use the model `gpt-image-2`. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    }),
    'The organisation of this service has not been verified by the provider, which this model needs.',
    'click on Verify Organization',
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes, 401 Incorrect API key provided
    'a wrong key of OpenAI',
    openai(401, {
      error: { message: `Incorrect API key provided: ${token}.`, type: 'x', code: 'invalid_api_key' },
    }),
    noAccess,
    'Incorrect API key provided: [secret]',
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes, 429 You exceeded your current quota
    'an exhausted quota of OpenAI',
    openai(429, { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } }),
    noCredit,
    'You exceeded your current quota.',
  ],
  [
    // https://ai.google.dev/gemini-api/docs/troubleshooting, PERMISSION_DENIED
    'a key of Google without rights',
    google(403, {
      error: { code: 403, message: 'Your API key was reported as leaked.', status: 'PERMISSION_DENIED' },
    }),
    noAccess,
    'Your API key was reported as leaked.',
  ],
  [
    // black-forest-labs/skills@d0793c8 skills/bfl-api/references/error-handling.md
    'a lack of credits at Black Forest Labs',
    bfl(402, { error: 'insufficient_credits', message: 'Your account does not have enough credits' }),
    noCredit,
    'Your account does not have enough credits',
  ],
  [
    // black-forest-labs/skills@d0793c8 skills/bfl-api/SKILL.md: "Not authenticated"; detail as FastAPI has it
    'a wrong key of Black Forest Labs',
    bfl(403, { detail: `Not authenticated: ${token}` }),
    noAccess,
    'Not authenticated: [secret]',
  ],
  [
    // Seen in many logs since 2025, with status 400: "You do not have enough credits to run this task."
    'a lack of credits at Runway, which answers 400',
    runway(400, {
      error: 'You do not have enough credits to run this task.',
      docUrl: 'https://docs.dev.runwayml.com/api',
    }),
    noCredit,
    'You do not have enough credits to run this task.',
  ],
  [
    // https://docs.dev.runwayml.com/api-details/errors: 401, "The provided API key is not valid."
    'a wrong key of Runway',
    runway(401, { error: `The provided API key is not valid: ${token}` }),
    noAccess,
    'The provided API key is not valid: [secret]',
  ],
  [
    // https://replicate.com/docs/reference/http, problem details
    'a lack of credit at Replicate',
    replicate(402, {
      title: 'Insufficient credit',
      detail: 'You have insufficient credit to run this model.',
      status: 402,
    }),
    noCredit,
    'You have insufficient credit to run this model.',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'an account at ModelArk that owes money',
    ark(403, {
      error: {
        code: 'AccountOverdueError',
        message: 'The request failed because your account has an overdue balance. Request ID: 0217',
      },
    }),
    noCredit,
    'your account has an overdue balance',
  ],
  [
    // volcengine.com/docs/82379/1299023: the free trial is used up, and the model is not activated
    'a used up trial of ModelArk',
    ark(429, {
      error: {
        code: 'QuotaExceeded',
        message: 'Your account has exhausted its free trial quota for the model.',
      },
    }),
    noCredit,
    'exhausted its free trial quota',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'a wrong key of ModelArk',
    ark(401, {
      error: {
        code: 'AuthenticationError',
        message: `The API key ${token} in the request is missing or invalid.`,
      },
    }),
    noAccess,
    'The API key [secret] in the request',
  ],
  [
    // docs.x.ai/developers/debugging (read in November 2026): 400 for a wrong key
    'a wrong key of xAI',
    xai(400, {
      code: 'Client specified an invalid argument',
      error: `Incorrect API key provided: ${token}. You can obtain an API key from https://console.x.ai.`,
    }),
    noAccess,
    'Incorrect API key provided: [secret]',
  ],
  [
    // github.com/continuedev/continue/issues/10373 (2026-02)
    'spent credits at xAI',
    xai(429, {
      code: 'Some resource has been exhausted',
      error:
        'Your team 16f2 has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
    }),
    noCredit,
    'reached its monthly spending limit',
  ],
  [
    // The words of xAI to new teams, as its customers quote them (2026-07)
    'a team without credits at xAI',
    xai(403, {
      code: 'permission-denied',
      error:
        "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai.",
    }),
    noCredit,
    'You can purchase those on',
  ],
]

test.each(refusals)('%s is told in words', async (_what, provider, toOwner, inLog) => {
  const { verdict, told, lines } = await outcomeOf(provider, false)
  expect([verdict, told]).toEqual(['provider_rejected', toOwner])
  expect(lines).toContain(inLog)
  expect(lines).not.toContain('0123456789abcdef')
})

/** A model that a vendor has retired. */
const gone: readonly (readonly [string, Provider, string])[] = [
  [
    'Replicate',
    replicate(404, { detail: 'Not found.' }),
    'There is no Replicate model acme/painter: Not found.',
  ],
  ['Replicate, for good', replicate(410, {}), 'There is no Replicate model acme/painter.'],
  // fal-ai/veo3 is not in fal-js libs/client/src/types/endpoints.ts at 381105e (2026-08-02) any more.
  ['fal', fal(404, { detail: 'Not found' }), 'There is no fal endpoint fal-ai/veo3: Not found'],
  ['Runway', runway(404, { error: 'Not found' }), 'There is no Runway model gen4_image: Not found'],
  ['Black Forest Labs', bfl(404, { detail: 'Not Found' }), 'There is no BFL endpoint flux-2-pro: Not Found'],
  [
    // https://platform.openai.com/docs/guides/error-codes; developers.openai.com/api/docs/deprecations (gpt-image-1)
    'OpenAI',
    openai(404, {
      error: { message: 'The model `gpt-image-2` has been deprecated.', code: 'model_not_found' },
    }),
    'There is no OpenAI model gpt-image-2: The model `gpt-image-2` has been deprecated.',
  ],
  [
    // discuss.ai.google.dev/t/195173 (2026-10): generation answers 404 NOT_FOUND although models.list has the model
    'Google',
    google(404, { error: { code: 404, message: 'This model is no longer available.', status: 'NOT_FOUND' } }),
    'There is no Google model gemini-nano-banana-2.1: This model is no longer available.',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'ModelArk',
    ark(404, {
      error: {
        code: 'InvalidEndpointOrModel.NotFound',
        message: 'The model or endpoint does not exist or you do not have access to it.',
      },
    }),
    'There is no ModelArk model seedream-4-5-251128: The model or endpoint does not exist or you do not have access to it.',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'ModelArk, with its endpoint',
    ark(400, {
      error: {
        code: 'InvalidEndpoint.ClosedEndpoint',
        message: 'The request targeted an endpoint that is currently closed or temporarily unavailable.',
      },
    }),
    'There is no ModelArk model seedream-4-5-251128: The request targeted an endpoint that is currently closed or temporarily unavailable.',
  ],
  [
    // docs.x.ai/developers/regions
    'xAI',
    xai(404, {
      code: 'not-found',
      error: 'The model grok-imagine-image does not exist or your team 0f1e does not have access to it.',
    }),
    'There is no xAI model grok-imagine-image: The model grok-imagine-image does not exist or your team 0f1e does not have access to it.',
  ],
]

test.each(gone)(
  'a model that %s has retired takes nothing on: the next route makes the job, and the log says so',
  async (_vendor, provider, words) => {
    const { verdict, lines } = await outcomeOf(provider, true)
    expect(verdict).toBe('completed')
    expect(lines).toContain(words)
    expect(await outcomeOf(provider, false)).toMatchObject({ verdict: 'provider_rejected', told: words })
  },
)

/** 503 answers of which the vendor says that the request has not been processed. */
const busy: readonly (readonly [string, Provider])[] = [
  [
    // https://developers.openai.com/api/docs/guides/error-codes (read in November 2026)
    'OpenAI has no capacity',
    openai(503, {
      error: {
        message: 'The requested model does not have enough capacity to process your request at the moment.',
        type: 'service_unavailable_error',
        code: 'server_is_overloaded',
      },
    }),
  ],
  [
    // discuss.ai.google.dev/t/124640: "temporarily overloaded and can't service your request"; the billing FAQ
    // (2026-09-20): failed requests are not charged. The words: continuedev/continue#12662.
    'Google is in high demand',
    google(503, {
      error: {
        code: 503,
        message:
          'This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.',
        status: 'UNAVAILABLE',
      },
    }),
  ],
  [
    // https://docs.dev.runwayml.com/api-details/errors: 503, "Runway is shedding load", may be retried
    'Runway sheds load',
    runway(503, { error: 'The service is overloaded.' }),
  ],
  [
    // https://fal.ai/docs/documentation/model-apis/request-errors: "No runner could be allocated to handle the request."
    'fal has no runner',
    fal(503, { detail: 'No runner available', error_type: 'runner_scheduling_failure' }),
  ],
]

test.each(busy)(
  'when %s (503), nothing was taken on, and the next route makes the job',
  async (_what, provider) => {
    expect((await outcomeOf(provider, true)).verdict).toBe('completed')
    expect((await outcomeOf(provider, false)).verdict).toBe('accepted')
  },
)

/** 503 answers that may come from a proxy, or from a vendor that says nothing of whether the task was taken on. */
const ambiguous: readonly (readonly [string, Provider])[] = [
  ['OpenAI', openai(503, { error: { message: 'Service Unavailable', code: null } })],
  ['Google', google(503, { error: { code: 503, message: 'Deadline expired.', status: 'UNAVAILABLE' } })],
  ['fal', fal(503, { detail: 'The runner disconnected.', error_type: 'runner_disconnected' })],
  ['Black Forest Labs', bfl(503, { detail: 'Service Unavailable' })],
  ['Runway, or a proxy before it,', runway(503, {})],
  ['Runway, with 502,', runway(502, { error: 'Bad gateway' })],
  ['Replicate', replicate(503, { detail: 'Service Unavailable' })],
  ['ModelArk', ark(503, { error: { code: 'ServiceUnavailable', message: 'Service Unavailable' } })],
  ['xAI', xai(503, { code: 'unavailable', error: 'Service Unavailable' })],
]

test.each(ambiguous)(
  'any other 503 of %s leaves open whether the task was taken on',
  async (_vendor, provider) => {
    expect((await outcomeOf(provider, true)).verdict).toBe('submit_ambiguous')
  },
)

import type { Provider } from '@genmount/core'
import { expect, test } from 'vitest'
import {
  ark,
  bfl,
  fal,
  google,
  kling,
  openai,
  outcomeOf,
  replicate,
  runpod,
  runway,
  xai,
} from './answering-vendors.ts'

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
  [
    // kling.ai/document-api/api/get-started/error-codes, second hand: 404 and 1203
    'Kling',
    kling(404, { code: 1203, message: 'The requested resource does not exist', request_id: 'r' }),
    'There is no Kling model kling-v3: The requested resource does not exist',
  ],
  [
    // skyphusion-labs/vivijure-cf, measured on 2026-08-05
    'Runpod',
    runpod(404, { error: 'endpoint not found' }),
    'There is no Runpod endpoint z-image-turbo: endpoint not found',
  ],
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
  'when %s has retired a model, the next route makes the job and the log says so',
  async (_vendor, provider, words) => {
    const { verdict, lines } = await outcomeOf(provider, true)
    expect(verdict).toBe('completed')
    expect(lines).toContain(words)
    expect(await outcomeOf(provider, false)).toMatchObject({ verdict: 'provider_rejected', message: words })
  },
)

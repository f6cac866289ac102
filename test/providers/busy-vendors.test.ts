import type { Provider } from '@genmount/core'
import { expect, test } from 'vitest'
import { ark, bfl, fal, google, openai, outcomeOf, replicate, runway, xai } from './answering-vendors.ts'

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

test.each(busy)('when %s (503), the next route makes the job', async (_what, provider) => {
  expect((await outcomeOf(provider, true)).verdict).toBe('completed')
  expect((await outcomeOf(provider, false)).verdict).toBe('accepted')
})

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

test.each(ambiguous)('any other 503 of %s fails the job as submit_ambiguous', async (_vendor, provider) => {
  expect((await outcomeOf(provider, true)).verdict).toBe('submit_ambiguous')
})

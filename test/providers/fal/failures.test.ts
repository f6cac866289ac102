import { expect, test } from 'vitest'
import { contentRefusal, images, modelError, requestError } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

const answers = [
  ['content_policy', contentRefusal],
  ['content_policy', { status: 400, json: { detail: 'NSFW content detected in the prompt.' } }],
  ['input_fetch_failed', modelError('file_download_error')],
  ['provider_rejected', modelError('image_too_large')],
  ['provider_rejected', modelError('a_type_of_next_year')],
  ['provider_rejected', { status: 422, json: { detail: 'Prompt must be non-empty' } }],
  ['provider_failed', modelError('generation_timeout', { status: 504 })],
  ['provider_failed', modelError('downstream_service_error', { status: 400 })],
  ['provider_failed', modelError('downstream_service_unavailable', { status: 500 })],
  ['provider_failed', modelError('internal_server_error', { status: 500 })],
  ['provider_failed', modelError('no_media_generated')],
  ['provider_failed', requestError(503, 'runner_disconnected')],
  ['provider_failed', requestError(499, 'client_cancelled')],
  ['provider_rejected', requestError(400, 'bad_request')],
] as const

test.each(answers.map(([code, outcome]) => [outcome.status, wordOf(outcome.json), code, outcome] as const))(
  'a fal request whose result is %s %s fails the job as %s',
  async (_status, _word, code, outcome) => {
    const { fake, create, finished } = await falWorld()
    fake.taskDefaults.outcome = outcome
    const job = await finished(await create())
    expect(job).toMatchObject({ phase: 'failed', error: { code } })
    expect(job.costUsd).toBe(0)
    expect(fake.ledger).toHaveLength(1)
  },
)

test('the error of a fal job contains the message of fal and whether a retry may succeed', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = modelError('internal_server_error', {
    status: 500,
    msg: 'Out of memory.',
    retryable: 'true',
  })
  const { error } = await finished(await create())
  expect(error?.message).toBe('prompt: Out of memory. (The same request may succeed later.)')
})

test('a fal request that reached no runner fails the job by its status, without a request for the result', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.ending = { error: 'No runner was free in time.', error_type: 'startup_timeout' }
  expect(await finished(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'provider_failed', message: 'No runner was free in time.' },
  })
  expect(fake.routesAsked()).not.toContain('result')
})

test('a fal result with status 500 fails the job only if the request has failed by its status', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = { status: 500, body: 'Internal Server Error' }
  fake.taskDefaults.ending = { error: 'Invalid status code: 500' }
  expect(await finished(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'provider_failed' },
  })
})

test('a failed fal job costs the units that fal bills', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = modelError('content_policy_violation', {
    headers: { 'x-fal-billable-units': '1' },
  })
  expect(await finished(await create())).toMatchObject({ phase: 'failed', costUsd: 0.003 })
})

test('pictures that the safety checker of fal has blacked out are left out, and a job without others fails', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = images(3, { has_nsfw_concepts: [false, true, false] })
  const some = await finished(await create({ prompt: 'a fox', num_outputs: 3 }))
  expect(some.outputs.map(({ url }) => url?.at(-5))).toEqual(['0', '2'])
  expect(some.costUsd).toBe(0.009)

  const url = 'https://v3.fal.media/shown.png'
  fake.taskDefaults.outcome = images(3, { images: [null, { url }], has_nsfw_concepts: [true, false] })
  expect((await finished(await create())).outputs).toEqual([{ url }])

  fake.taskDefaults.outcome = images(2, { has_nsfw_concepts: [true, true] })
  expect(await finished(await create())).toMatchObject({
    phase: 'failed',
    error: { code: 'content_policy' },
    costUsd: 0.006,
  })
})

test('flagged pictures of fal are delivered when enable_safety_checker is false', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = images(1, { has_nsfw_concepts: [true] })
  const input = { prompt: 'a fox', provider_options: { enable_safety_checker: false } }
  expect(await finished(await create(input))).toMatchObject({ phase: 'completed' })
  expect(fake.ledger[0]?.input).toMatchObject({ enable_safety_checker: false })
})

/** The machine's word, or the vendor's. */
function wordOf(json: unknown): string {
  const { detail, error_type } = json as { detail: string | { type: string }[]; error_type?: string }
  return error_type ?? (typeof detail === 'string' ? detail : (detail[0]?.type ?? ''))
}

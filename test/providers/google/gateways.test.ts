import { guardedFetch } from '@genmount/guarded-fetch'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type GoogleRuns, googleRuns, omni } from './google-runs.ts'

let runs: GoogleRuns
beforeEach(async () => {
  runs = await googleRuns({}, 0.4)
})
afterEach(() => runs.close())

/** Runs a film whose interaction always has this end. */
async function filmThatEnds(made: object) {
  const steps = [{ type: 'model_output', content: [{ type: 'video', ...made }] }]
  const instead = { json: { id: 'v1', status: 'completed', steps } }
  runs.fake.trouble('/interactions/', ...Array.from({ length: 100 }, () => ({ instead })))
  return runs.finished(await runs.create(omni, { prompt: 'a fox' }))
}

const downloads = () => runs.fake.requests.filter(({ url }) => url.pathname.includes(':download'))

/**
 * Gateways pass on the answers of Google, with Google's own addresses: github.com/BerriAI/litellm/issues/13557 and
 * 13686 (2025-08), github.com/nicobailon/pi-web-access/pull/213 (2026-08). Some make them relative:
 * github.com/BerriAI/litellm/pull/36340 (2026-08).
 */
test.each([
  'https://generativelanguage.googleapis.com/v1beta/files/omni0:download?alt=media',
  'files/omni0:download?alt=media',
  '/v1beta/files/omni0:download?alt=media',
])('behind a gateway, a film at %s is downloaded through the gateway, with its key', async (uri) => {
  const job = await filmThatEnds({ uri })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 3.2 })
  expect(await runs.outputs(job)).toEqual([fakeFile('video', 0).bytes])
  expect(downloads().map(({ url }) => url.pathname + url.search)).toEqual([
    '/v1beta/files/omni0:download?alt=media',
  ])
})

test('films of a gateway with a private address are downloaded without any further option', async () => {
  await runs.close()
  runs = await googleRuns({ fetchFile: guardedFetch }, 0.4)
  const { bytes: body } = fakeFile('video', 1)
  runs.fake.trouble(':download', { instead: { headers: { 'content-type': 'video/mp4' }, body } })
  const job = await runs.finished(await runs.create(omni, { prompt: 'a fox' }))
  expect(await runs.outputs(job)).toEqual([body])
})

test.each([400, 401, 403, 405])(
  'a film whose download the gateway always answers with %i fails the job in minutes, with its cost and reason',
  async (status) => {
    const instead = { status, json: { error: { message: 'No files here.' } } }
    runs.fake.trouble('/files/', ...Array.from({ length: 100 }, () => ({ instead })))
    const began = runs.clock.now()
    const job = await runs.finished(await runs.create(omni, { prompt: 'a fox' }))
    expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' }, costUsd: 3.2 })
    expect(job.error?.message).toContain(`status ${status}`)
    expect(runs.clock.now() - began).toBeLessThan(15 * 60_000)
  },
)

test('a film at another host that answers 403 fails the job in minutes, and the key is not sent there', async () => {
  const uri = `${runs.fake.storage.origin}/videos/0`
  const instead = { status: 403, json: {} }
  runs.fake.storage.trouble('/videos/', ...Array.from({ length: 100 }, () => ({ instead })))
  const began = runs.clock.now()
  const job = await filmThatEnds({ uri })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' }, costUsd: 3.2 })
  expect(job.error?.message).toContain('status 403')
  expect(runs.clock.now() - began).toBeLessThan(15 * 60_000)
  expect(runs.fake.storage.requests.some(({ headers }) => 'x-goog-api-key' in headers)).toBe(false)
})

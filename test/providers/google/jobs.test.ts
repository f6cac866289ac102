import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { served } from '../../served.ts'
import { type GoogleRuns, googleRuns, image, omni } from './google-runs.ts'

let runs: GoogleRuns
beforeEach(async () => {
  runs = await googleRuns()
})
afterEach(() => runs.close())

const png = fakeFile('image').bytes
const base64 = Buffer.from(png).toString('base64')
const dataUri = `data:image/png;base64,${base64}`

test('a Gemini image job is one call, stores no drafts, and costs what its tokens cost', async () => {
  const job = await runs.finished(await runs.create(image, { prompt: 'a fox' }))
  expect(job).toMatchObject({ phase: 'completed', costUsd: (8 * 1.5 + 1120 * 30 + 110 * 7.5) / 1e6 })
  expect(await runs.outputs(job)).toEqual([png])
})

test('the fields of an image job become those of Gemini', async () => {
  const provider_options = { safetySettings: [], generationConfig: { temperature: 0.5 } }
  const input = { prompt: 'snow', image: [dataUri], aspect_ratio: '21:9', resolution: '2K', seed: 7 }
  await runs.finished(await runs.create(image, { ...input, num_outputs: 1, provider_options }))
  expect(runs.fake.ledger).toEqual([
    {
      path: `models/${image}:generateContent`,
      body: {
        safetySettings: [],
        contents: [
          {
            role: 'user',
            parts: [{ text: 'snow' }, { inlineData: { mimeType: 'image/png', data: base64 } }],
          },
        ],
        generationConfig: {
          temperature: 0.5,
          responseModalities: ['IMAGE'],
          imageConfig: { aspectRatio: '21:9', imageSize: '2K' },
          seed: 7,
        },
      },
    },
  ])
})

test.each([omni, image])(
  'a job of %s fetches the picture behind a URL, because the API accepts no links',
  async (model) => {
    const origin = await served((request, response) => {
      if (request.url === '/fox') response.setHeader('content-type', 'application/octet-stream').end(png)
      else response.end('<svg/>')
    })
    // A public name, as the schema wants it, that only this test's fetcher brings to the loopback.
    const local = await googleRuns({
      fetchFile: async (url) => {
        const answer = await fetch(String(url).replace('https://pictures.example.com', origin))
        const bytes = new Uint8Array(await answer.arrayBuffer())
        const body = new Blob([bytes]).stream()
        return { url: '', contentType: undefined, contentLength: undefined, body, bytes: async () => bytes }
      },
    })
    const good = { prompt: 'a fox', image: 'https://pictures.example.com/fox' }
    expect(await local.finished(await local.create(model, good))).toMatchObject({ phase: 'completed' })
    expect(JSON.stringify(local.fake.ledger)).toContain(base64)
    const bad = { prompt: 'a fox', image: 'https://pictures.example.com/drawing' }
    const job = await local.finished(await local.create(model, bad))
    expect(job.error).toMatchObject({ code: 'input_fetch_failed' })
    expect(local.fake.ledger).toHaveLength(1)
    await local.close()
  },
)

test('a Gemini Omni job whose picture has an unknown host fails as input_fetch_failed without a request to Google', async () => {
  const input = { prompt: 'a fox', image: 'https://no-such-host.invalid/fox.png' }
  const job = await runs.finished(await runs.create(omni, input))
  expect(job.error).toMatchObject({ code: 'input_fetch_failed' })
  expect(runs.fake.requests).toHaveLength(0)
})

test.each([
  ['an image that is not shown', image, 'forbidden', 'IMAGE_SAFETY'],
  ['a prompt that Gemini blocks', image, 'blocked', 'PROHIBITED_CONTENT'],
])('%s fails the job of Google as content_policy with the reason', async (_, model, prompt, words) => {
  const job = await runs.finished(await runs.create(model, { prompt }))
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'content_policy' } })
  expect(job.error?.message).toContain(words)
})

import { quietLog } from '@genmount/testing'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { esrganProvider } from '@genmount/provider-esrgan'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { drawing } from './drawing.ts'

const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }

function serve() {
  const service = createGenerationService({
    providers: [esrganProvider()],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
  const get = (url: string) => handle(new Request(url, { headers }))
  const create = async (input: object) => {
    const body = JSON.stringify(input)
    const url = 'https://example.com/v1/images/generations?wait=true'
    const reply = await handle(new Request(url, { method: 'POST', headers, body }))
    return { status: reply.status, job: await reply.json() }
  }
  return { create, get }
}

test('a job of esrgan-x2 enlarges a picture to twice its size, and the output can be fetched', async () => {
  const { create, get } = serve()
  const { dataUri } = await drawing(120)
  const { status, job } = await create({ model: 'esrgan-x2', image: dataUri })
  expect([status, job]).toMatchObject([200, { status: 'completed', output_kind: 'image', error: null }])
  expect(job.timings.inference_ms).toBeGreaterThan(0)
  expect(JSON.stringify(job)).not.toContain(dataUri.slice(0, 100))
  const redirect = await get(job.data[0].url)
  expect(redirect.status).toBe(302)
  const file = await get(redirect.headers.get('location') ?? '')
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(await sharp(await file.arrayBuffer()).metadata()).toMatchObject({ width: 240, height: 240 })
})

test('a job of esrgan-x4 with a broken picture fails with provider_rejected and the reason', async () => {
  const broken = Buffer.from('\x89PNG\r\n\x1a\n and no more', 'latin1').toString('base64')
  const { status, job } = await serve().create({
    model: 'esrgan-x4',
    image: `data:image/png;base64,${broken}`,
  })
  const error = expect.stringContaining('provider_rejected: image could not be decoded')
  expect([status, job]).toMatchObject([200, { status: 'failed', error, data: [] }])
})

test.each([
  'http://10.0.0.1/a.png',
  'http://169.254.169.254/latest/meta-data',
  'data:text/plain;base64,aGk=',
])('a create with the image %s fails with a 400 that names image, and makes no job', async (image) => {
  const { status, job } = await serve().create({ model: 'esrgan-x2', image })
  expect([status, job.error]).toMatchObject([400, { param: 'image' }])
})

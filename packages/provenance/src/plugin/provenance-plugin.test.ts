import { describe, expect, test } from 'vitest'
import { fromBase64, memoryFileStore, type Model } from '@genmount/core'
import { fakeModels, fakeWorld, pluginSuite } from '@genmount/testing'
import { readProvenance } from '../reading/read-provenance.ts'
import { provenance, type ProvenanceOptions, type SignFile } from './provenance-plugin.ts'

describe('the plugin provenance', () => {
  for (const [title, run] of Object.entries(pluginSuite(() => ({ plugin: provenance() })))) test(title, run)
})

/** A PNG of one pixel. */
const png = fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
)!
const webm = Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0x81, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d])

interface Setting {
  readonly bytes?: Uint8Array
  readonly model?: Partial<Model>
  readonly input?: object
  readonly options?: ProvenanceOptions
}

/** What a service with the plugin stores for two jobs with the same output, and what the first file says. */
async function stored({ bytes = png, model = {}, input = {}, options = {} }: Setting = {}) {
  const files = { ...memoryFileStore() }
  const { create, clock, jobs, log, service } = fakeWorld(
    {
      models: fakeModels.map((one) => ({ ...one, ...model, id: one.id })),
      behave: () => ({ outputs: [{ bytes }] }),
    },
    { files, plugins: [provenance(options)] },
  )
  const [{ id }] = [await create({ prompt: 'a fox', ...input }), await create()]
  await clock.advance(30_000)
  const job = (await jobs.get(id))!
  const file = await files.open?.(job.outputs[0]!.fileKey!)
  const whole = new Uint8Array(await new Response(file!.read()).arrayBuffer())
  const says = await readProvenance(file!.read())
  await service.close()
  return { job, bytes: whole, says, lines: log.lines }
}

test('an output says that it is made by AI, and neither what was ordered nor by whom', async () => {
  const { says, bytes } = await stored()
  expect(says).toEqual({
    contentType: 'image/png',
    isReadable: true,
    digitalSourceType: 'trainedAlgorithmicMedia',
    hasC2paManifest: false,
  })
  const text = new TextDecoder('latin1').decode(bytes)
  for (const secret of ['a fox', 'alice', 'fake-image', 'gen_']) expect(text).not.toContain(secret)
})

test('an output says more when the app wants it: model, time and job', async () => {
  const { says, job } = await stored({ options: { include: ['model', 'time', 'job'] } })
  const time = new Date(job.createdAt).toISOString()
  expect(says).toMatchObject({ model: 'fake-image', time, job: job.id })
})

test.each(['https://pictures.example/1.png', 'data:image/png;base64,iVBORw0KGgo=', 'upload://up_1.png'])(
  'an output whose job has %s in its input is a composite',
  async (link) => {
    const { says } = await stored({ input: { output_urls: [link] } })
    expect(says.digitalSourceType).toBe('compositeWithTrainedAlgorithmicMedia')
  },
)

test('a prompt that mentions a link names no picture', async () => {
  const { says } = await stored({
    input: { prompt: 'the front page of https://pictures.example as a mosaic' },
  })
  expect(says.digitalSourceType).toBe('trainedAlgorithmicMedia')
})

test('a model says itself what its outputs are', async () => {
  const { says } = await stored({ model: { digitalSourceType: 'algorithmicMedia' } })
  expect(says.digitalSourceType).toBe('algorithmicMedia')
})

test('an output of a type that can not be marked is stored as it is, and the log says so once', async () => {
  const { bytes, lines } = await stored({ bytes: webm })
  expect(bytes).toEqual(webm)
  expect(lines.filter((line) => line.includes('marked'))).toEqual([
    'Outputs at links of providers are not marked, because the service does not copy them. It marks those that pass through its file store.',
    'Outputs of type video/webm can not be marked. They are stored as they are.',
  ])
})

test('a cut-off output is stored as it is, and the log says why', async () => {
  const cut = png.subarray(0, 50)
  const { bytes, lines, job } = await stored({ bytes: cut })
  expect(bytes).toEqual(cut)
  const why =
    'is stored without the change of the plugin provenance: the file can not be marked: it is cut off'
  expect(lines).toContain(`Output 0 of job ${job.id} ${why}`)
})

const signing: SignFile = async ({ body, contentType, job }) =>
  body.pipeThrough(
    new TransformStream({
      flush: (controller) => controller.enqueue(new TextEncoder().encode(`${contentType} of ${job.model}`)),
    }),
  )

test('an output is signed with its mark', async () => {
  const { says, bytes } = await stored({ options: { sign: signing } })
  expect(says.digitalSourceType).toBe('trainedAlgorithmicMedia')
  expect(new TextDecoder('latin1').decode(bytes)).toMatch(/image\/png of fake-image$/)
})

test('an output that can not be signed is stored with its mark, and the log says why', async () => {
  const sign = () => Promise.reject(new Error('The certificate has expired.'))
  const { says, lines } = await stored({ options: { sign } })
  expect(says.digitalSourceType).toBe('trainedAlgorithmicMedia')
  expect(lines.join()).toContain('without the change of the plugin provenance: The certificate has expired.')
})

test.each([
  [{ mark: 'c2pa' }, 'provenance: mark must be \'xmp\', not "c2pa".'],
  [{ include: ['prompt'] }, "provenance: include[0] must be 'job' or 'model' or 'time', not \"prompt\"."],
  [{ sign: true }, 'provenance: sign must be a function, not true.'],
  [{ signs: true }, 'provenance: signs is not an option; did you mean sign?'],
])('the options %j are refused: %s', (options, message) => {
  expect(() => provenance(options as ProvenanceOptions)).toThrow(new TypeError(message))
})

import { costOf, createGenerationService, type JsonObject, type Price, type Provider } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { falProvider } from '@genmount/provider-fal'
import { falModels } from '@genmount/provider-fal/models'
import { replicateProvider } from '@genmount/provider-replicate'
import { replicateModels } from '@genmount/provider-replicate/models'
import { quietLog } from '@genmount/testing'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { falKey, startFal } from '../fal/fal-fake.ts'
import { startReplicate } from '../replicate/fake-replicate.ts'
import { wantedModels } from '../../../packages/model-catalogues/src/generate.ts'
import { plainInput, samplesOf, valuesByField } from './samples.ts'
import { keptSchemas, type Vendor } from '../../../packages/model-catalogues/src/vendor-schema.ts'
import { openFieldNames } from '../../../packages/provider-kit/src/fields/open-fields.ts'

interface Listed {
  readonly key: string
  readonly model: string
  readonly entry: { readonly id: string; readonly price: Price | 'unknown' }
}

const entries: Readonly<Record<Vendor, readonly Listed[]>> = {
  fal: Object.entries(falModels).map(([key, entry]) => ({ key, model: entry.endpoint, entry })),
  replicate: Object.entries(replicateModels).map(([key, entry]) => ({ key, model: entry.model, entry })),
}
const call = { signal: new AbortController().signal }
const ajv = new Ajv({ strict: false, allErrors: true })

const fal = await startFal()
const versions = entries.replicate.map(({ model }) => model.replace(/^.*:/, ''))
const replicate = await startReplicate({ offered: versions })
afterAll(() => Promise.all([fal.close(), replicate.close()]))

const vendors: Readonly<
  Record<Vendor, { provider(entry: never): Provider; lastInput(): Readonly<Record<string, unknown>> }>
> = {
  fal: {
    provider: (entry) => falProvider({ token: falKey, models: [entry], fetch: fal.fetch }),
    lastInput: () => fal.ledger.at(-1)!.input,
  },
  replicate: {
    provider: (entry) =>
      replicateProvider({ token: replicate.token, baseUrl: replicate.baseUrl, models: [entry] }),
    lastInput: () => replicate.predictions.get(replicate.ledger.at(-1)!)!.input as JsonObject,
  },
}

describe.each(['fal', 'replicate'] as const)('the catalogue of %s', (vendor) => {
  const schemas = keptSchemas(vendor)

  test('has an entry and a dated schema for each wanted model', () => {
    const wanted = Object.values(wantedModels[vendor]).flat()
    expect(entries[vendor].map(({ key, model }) => [key, model]).toSorted()).toEqual(
      wanted.map(({ key, model }) => [key, model]).toSorted(),
    )
    expect([...schemas.keys()].toSorted()).toEqual(wanted.map(({ model }) => model).toSorted())
    for (const { source, date } of schemas.values()) {
      expect(source.length).toBeGreaterThan(20)
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
    }
    const ids = entries[vendor].map(({ entry }) => entry.id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  describe.each(entries[vendor])('the entry $key', ({ model, entry }) => {
    const { schema } = schemas.get(model)!
    const provider = vendors[vendor].provider(entry as never)
    const offered = provider.models[0]!
    const isAccepted = ajv.compile(schema)

    /** What the vendor gets for this input, or what the client is told is wrong. */
    async function sent(input: JsonObject) {
      const read = await offered.input['~standard'].validate(input)
      if (read.issues) return read.issues.map(({ message }) => message).join()
      const task = { jobId: 'j', model: offered.id, input: read.value as JsonObject, clientToken: 't' }
      expect(await provider.submit(task, call)).toMatchObject({ state: 'running' })
      return vendors[vendor].lastInput()
    }

    test('sends a body that the vendor’s schema accepts, for each field at its least, usual and greatest value', async () => {
      const plain = plainInput(offered)
      const tried = [plain, ...samplesOf(offered, schema).map((sample) => ({ ...plain, ...sample }))]
      for (const input of tried) {
        const body = await sent(input)
        expect(isAccepted(body), `${JSON.stringify([body, isAccepted.errors]).slice(0, 600)}`).toBe(true)
        // What a client says reaches the vendor in some form.
        expect(Object.keys(body).length).toBeGreaterThanOrEqual(Object.keys(input).length)
      }
    })

    test('refuses and names each field that the model does not have', async () => {
      const has: readonly string[] = [...valuesByField(offered, schema).keys()]
      const lacking = openFieldNames.filter((name) => !has.includes(name))
      for (const name of lacking)
        expect(await sent({ ...plainInput(offered), [name]: 'x' })).toContain(`${name} is unknown`)
      expect(has.length + lacking.length).toBe(openFieldNames.length)
    })

    test('has a price for each input, or says that its price is unknown', () => {
      const { price } = entry
      if (price === 'unknown') return expect(offered.isCostKnown).toBe(false)
      expect(offered).toMatchObject({ isCostKnown: true, price: { text: expect.any(String) } })
      for (const sample of [{}, ...samplesOf(offered, schema)]) {
        const input = { ...plainInput(offered), ...sample }
        expect(costOf(price, { input, units: 1 }), JSON.stringify(sample)).toBeGreaterThan(0)
      }
      expect(offered.unpricedInputs).toBeUndefined()
    })
  })
})

test('each wanted model has the day and the source of its price, or says why its price is unknown', () => {
  for (const wanted of Object.values(wantedModels).flatMap((files) => Object.values(files).flat())) {
    const { price } = wanted
    if ('unknown' in price) expect(price.unknown, wanted.key).toMatch(/^\S.{20,}[^.]$/)
    else expect(price, wanted.key).toMatchObject({ on: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) })
  }
})

test('the log names each model whose price is unknown when the service starts', async () => {
  const log = quietLog()
  const { flux2Pro, topazUpscale, nanoBanana } = replicateModels
  const service = createGenerationService({
    providers: [
      replicateProvider({ token: 'r8_x', models: [flux2Pro, topazUpscale, nanoBanana] }),
      falProvider({ token: falKey, models: [falModels.flux2Edit, falModels.nanoBanana2] }),
    ],
    plugins: [limits({ spendUsdPerDay: 5 })],
    log,
  })
  service.start()
  await service.close()
  const unknown = log.warnings.flatMap((line) => /jobs of model (\S+) is unknown/.exec(line)?.[1] ?? [])
  expect(unknown).toEqual(['flux-2-pro', 'topaz-upscale', 'flux-2-edit'])
  expect(log.warnings).toContainEqual(
    expect.stringMatching(/refused: flux-2-pro, topaz-upscale, flux-2-edit\./),
  )
})

test.each<[string, keyof typeof replicateModels, JsonObject, number]>([
  ['a film', 'seedance25', {}, 1.156],
  ['a film of 480p', 'seedance25', { resolution: '480p', duration: 10 }, 1.028],
  ['a film from a film', 'seedance25', { reference_videos: ['https://example.com/a.mp4'] }, 4.838],
  ['a film from an empty list of films', 'seedance2', { reference_videos: [], duration: 10 }, 1.8],
  ['a film', 'hailuo23', {}, 0.28],
  ['a film of 10 seconds', 'hailuo23', { duration: 10 }, 0.56],
  ['a film of 1080p', 'hailuo23Fast', { resolution: '1080p' }, 0.33],
  ['a picture of 1K', 'seedream5Pro', { resolution: '1K' }, 0.045],
])('%s of %s with %j costs what Replicate’s page says', (_what, key, input, usd) => {
  expect(costOf(replicateModels[key].price as Price, { input, units: 1 })).toBe(usd)
})

// The schemas refer to lists of choices that are not published with them.
test.each<[keyof typeof replicateModels, JsonObject]>([
  ['seedance2', { aspect_ratio: '21:9', resolution: '1080p' }],
  ['wan27', { aspect_ratio: '9:16', resolution: '720p' }],
  ['gptImage2', { aspect_ratio: '3:2' }],
  ['recraft4', { aspect_ratio: '4:3' }],
])('%s at Replicate takes a shape, though nobody knows its choices: %j', async (key, shape) => {
  const provider = replicateProvider({
    token: replicate.token,
    baseUrl: replicate.baseUrl,
    models: [replicateModels[key]],
  })
  const model = provider.models[0]!
  const read = await model.input['~standard'].validate({ prompt: 'a fox', ...shape })
  if (read.issues) throw new Error(read.issues.map(({ message }) => message).join())
  const task = { jobId: 'j', model: model.id, input: read.value as JsonObject, clientToken: 't' }
  expect(await provider.submit(task, call)).toMatchObject({ state: 'running' })
  expect(vendors.replicate.lastInput()).toMatchObject(shape)
})

test('an app changes an entry of the catalogue by spreading it', () => {
  const changed = { ...falModels.nanoBanana2, id: 'banana', price: 0.1, retentionDays: 3 }
  const { models } = falProvider({ token: falKey, models: [falModels.veo31, changed] })
  expect(models).toMatchObject([
    { id: 'veo-3.1', outputKind: 'video' },
    { id: 'banana', outputKind: 'image', retentionDays: 3, price: { usd: 0.1, per: 'image' } },
  ])
  expect(falProvider({ token: falKey, models: { banana: falModels.nanoBanana2 } }).models[0]?.id).toBe(
    'banana',
  )
})

/**
 * What fal's pages of these models say that a second costs, in US dollars, for a job that sets nothing but what is required
 * (with sound, at 1080p): https://fal.ai/models/{endpoint}/llms.txt in stored copies that were read on 2026-11-22, for
 * Kling 3 Pro a public report of that page.
 */
const usualSecond: Readonly<Partial<Record<keyof typeof falModels, number>>> = {
  veo31: 0.4,
  kling3Pro: 0.168,
  kling3ProFromImage: 0.168,
  kling3Standard: 0.126,
  kling3StandardFromImage: 0.126,
  kling26Pro: 0.14,
  kling26ProFromImage: 0.14,
  wan27FromImage: 0.15,
}

test.each(Object.entries(usualSecond))(
  'the price per second of %s is what a second of a usual film costs',
  (key, usd) => {
    const { priceUnit, price } = falModels[key as keyof typeof falModels] as {
      readonly priceUnit?: string
      readonly price?: number
    }
    expect(priceUnit === 'second' ? price : usd).toBe(usd)
  },
)

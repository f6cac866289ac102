import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Model } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { proceduralProvider } from '@genmount/provider-procedural'
import { vendorCases } from '../providers/hosted-vendors.ts'

interface Trial {
  readonly model: Model
  readonly input: object
}

/** One model of each provider, with an input that the model accepts. */
async function trials(): Promise<Readonly<Record<string, Trial>>> {
  const local = {
    procedural: { provider: proceduralProvider(), input: { prompt: 'a kite' } },
    esrgan: { provider: esrganProvider(), input: { image: 'https://a.example/a.png' } },
  }
  const all: Record<string, Trial> = {}
  for (const [name, { provider, input }] of Object.entries(local))
    for (const model of provider.models) all[`${name} ${model.id}`] = { model, input }
  for (const [name, { start, model: id, input }] of Object.entries(vendorCases)) {
    const vendor = await start()
    const model = vendor.connect(vendor.fetch).models.find((candidate) => candidate.id === id)!
    all[`${name} ${id}`] = { model, input }
    await vendor.close()
  }
  return all
}

describe.each(Object.entries(await trials()))('the model %s', (_, { model, input }) => {
  const { jsonSchema } = model.input['~standard'] as unknown as {
    readonly jsonSchema: { input(options: { readonly target: string }): object }
  }

  test('has a JSON Schema of draft 2020-12 that accepts an input of the model and refuses an unknown field', () => {
    const isValid = new Ajv2020({ strictTypes: false }).compile(jsonSchema.input({ target: 'draft-2020-12' }))
    expect(isValid(input), JSON.stringify(isValid.errors)).toBe(true)
    expect(isValid({ ...input, no_such_field: 1 })).toBe(false)
    expect(isValid({ ...input, prompt: 5, image: 5 })).toBe(false)
  })

  test('validates its input as its JSON Schema does, and refuses an unknown field', async () => {
    const { validate } = model.input['~standard']
    expect((await validate(input)).issues).toBeUndefined()
    expect((await validate({ ...input, no_such_field: 1 })).issues).toHaveLength(1)
  })
})

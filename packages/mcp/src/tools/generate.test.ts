import type { Model } from '@genmount/client'
import { expect, test } from 'vitest'
import { generateTools } from './generate.ts'

const text = { type: 'string' }
const model = (id: string, usd: number, required: readonly string[], description?: string) =>
  ({
    id,
    output_kind: 'image',
    input_schema: { type: 'object', properties: { prompt: text, image: text }, required },
    price: { text: usd === 0 ? 'free' : `${usd} USD per image`, per: 'image', usd, usd_by: null },
    typical_seconds: null,
    ...(description !== undefined && { description }),
  }) as unknown as Model

const painter = model('painter', 0.04, ['prompt'])
const enlarger = model('enlarger', 0, ['image'], 'Enlarges a picture.')

function listed(name: string, models: readonly Model[]) {
  const listing = generateTools.find((tool) => tool.name === name)?.listing(models)
  const { model: field } =
    (listing?.inputSchema as { properties: Record<string, object> } | undefined)?.properties ?? {}
  return { ...listing, field: field as { enum: string[]; description: string } | undefined }
}

test('a model that needs a picture is offered for editing and not for making pictures from a text', () => {
  expect(listed('generate_image', [painter, enlarger]).field?.enum).toEqual(['painter'])
  const { field } = listed('edit_image', [painter, enlarger])
  expect(field?.enum).toEqual(['painter', 'enlarger'])
  expect(field?.description).toContain('enlarger: Enlarges a picture, free')
  expect(listed('generate_image', [enlarger]).inputSchema).toBeUndefined()
})

test('agents hear whether a tool costs money', () => {
  expect(listed('generate_image', [painter]).description).toContain('It costs money.')
  expect(listed('edit_image', [enlarger]).description).toContain('It is free.')
  expect(listed('edit_image', [painter, enlarger]).description).toContain('except with models that are free')
})

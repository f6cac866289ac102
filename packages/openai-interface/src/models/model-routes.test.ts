import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { namedModels } from './model-routes.ts'

const asking = (model: string) => new Map([['model', model]])

test("OpenAI's clients can ask for a model as long as the service offers it, and for an alias as long as its model is there", () => {
  const { models } = fakeProvider()
  const [first, second] = models
  const service = createGenerationService({
    providers: [{ ...fakeProvider(), models: [first!] }],
    aliases: { 'dall-e-3': first!.id },
    log: quietLog(),
  })
  const { modelOf } = namedModels(service)
  expect(modelOf(asking('dall-e-3'), first!.outputKind)).toBe(first)
  service.offer([{ ...fakeProvider(), models: [second!] }], {})
  expect(modelOf(asking(second!.id), second!.outputKind)).toBe(second)
  for (const model of ['dall-e-3', first!.id])
    expect(() => modelOf(asking(model), first!.outputKind)).toThrow(`The model "${model}" does not exist`)
})

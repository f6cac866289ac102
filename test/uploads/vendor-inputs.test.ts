import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { uploads } from '@genmount/core/uploads'
import { createGenerationService, type JsonObject, memoryFileStore, type Provider } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { proceduralProvider } from '@genmount/provider-procedural'
import { fakeFile, quietLog } from '@genmount/testing'
import { vendorCases } from '../providers/hosted-vendors.ts'

const picture = fakeFile('image').bytes
const uri = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`

/** The providers, each with an input of one of its models. */
async function providers(): Promise<Readonly<Record<string, [Provider, string, JsonObject]>>> {
  const all: Record<string, [Provider, string, JsonObject]> = {
    procedural: [proceduralProvider(), 'procedural-image', { prompt: 'a kite' }],
    esrgan: [esrganProvider(), esrganProvider().models[0]?.id ?? '', {}],
  }
  for (const [name, { start, model, input }] of Object.entries(vendorCases)) {
    const vendor = await start()
    all[name] = [vendor.connect(vendor.fetch), model, input]
    await vendor.close()
  }
  return all
}

/** The fields in which models take pictures. */
const fields = ['image', 'images'] as const
const takers = new Set<string>()

afterAll(() => expect(takers.size).toBeGreaterThanOrEqual(6))

describe.each(Object.entries(await providers()))('the provider %s', (name, [provider, model, input]) => {
  const schema = provider.models.find(({ id }) => id === model)?.input['~standard']
  const takes = async (field: string) => {
    const result = await schema?.validate({ ...input, [field]: uri })
    return result !== undefined && !result.issues
  }

  test.each([
    ['a data URI', undefined, /^data:image\/png;base64,/],
    ['a link', 'https://app.example', /^https:\/\/app\.example\/v1\/inputs\//],
  ])('gets an uploaded picture as %s in each field that takes pictures', async (_what, baseUrl, form) => {
    const inputs: JsonObject[] = []
    const submit: Provider['submit'] = async ({ input: given }) => {
      inputs.push(given)
      return { state: 'failed', code: 'provider_failed', message: 'It was only looked at.' }
    }
    const service = createGenerationService({
      providers: [{ ...provider, submit }],
      files: memoryFileStore(),
      plugins: [uploads({ baseUrl })],
      log: quietLog(),
    })
    onTestFinished(async () => void (await service.close()))
    const upload = await service.uploads?.store('alice', new Blob([picture]).stream())
    for (const field of fields) {
      if (!(await takes(field))) continue
      inputs.length = 0
      takers.add(name)
      const body = { ...input, [field]: upload?.url }
      const { job } = await service.create({ owner: 'alice', model, input: body })
      expect(job.shownInput[field]).toBe(upload?.url)
      await vi.waitFor(() => expect(inputs).toHaveLength(1), 60_000)
      expect(inputs[0]?.[field]).toMatch(form)
    }
  })
})

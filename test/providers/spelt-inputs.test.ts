import { expect, test } from 'vitest'
import type { JsonObject, Model } from '@genmount/core'
import { esrganProvider } from '@genmount/provider-esrgan'
import { proceduralProvider } from '@genmount/provider-procedural'
import sharp from 'sharp'
import { vendorCases } from './hosted-vendors.ts'

/** Its base64 has both digits that other spellings change: `+` and `/`. */
const file = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#a56' } })
  .linear([1.1, 0.9, 1.2], [3, 5, 7])
  .withExif({ IFD0: { Copyright: 'ûûû???>>>' } })
  .png()
  .toBuffer()
const uri = `data:image/png;base64,${file.toString('base64')}`
const link = 'https://pictures.example/a.png'

/** Texts that a decoder of base64 reads as other bytes than those of the file: `expressjs/body-parser#500`. */
const broken = {
  'percent-encoded': uri.replaceAll('+', '%2B').replaceAll('/', '%2F').replace('image%2F', 'image/'),
  'with blanks for its +': uri.replaceAll('+', ' '),
  'cut off': uri.slice(0, uri.length / 2),
}
const spelt = {
  [uri]: [uri.replace(';', ';name=a.png;'), uri.replace('data:image', 'DATA:IMAGE')],
  [link]: [` ${link}\n`, link.replace('pictures', 'pic\ntures'), link.replaceAll('/', '\\')],
}
const fields = ['image', 'last_frame', 'mask', 'reference_images']

/** What a model makes of a picture in a field: the value that it sends on, or a refusal. */
async function sentBy(model: Model, input: JsonObject, field: string, picture: string) {
  for (const value of [picture, [picture]]) {
    const result = await model.input['~standard'].validate({ ...input, [field]: value })
    if (!result.issues) return [(result.value as JsonObject)[field]].flat().at(0)
  }
  return undefined
}

const providers: Record<string, readonly [readonly Model[], JsonObject]> = {
  procedural: [proceduralProvider().models, { prompt: 'a fox' }],
  esrgan: [esrganProvider().models, {}],
}
for (const [name, { start, input }] of Object.entries(vendorCases)) {
  const vendor = await start()
  providers[name] = [vendor.connect(vendor.fetch).models, input]
  await vendor.close()
}

test('the broken spellings are of a file whose base64 they change', () => {
  for (const text of Object.values(broken)) expect(text).not.toBe(uri)
})

test.each(Object.entries(providers))(
  '%s refuses pictures in broken base64, and sends data URIs and links in the one form that was checked',
  async (_name, [models, input]) => {
    for (const model of models)
      for (const field of fields)
        for (const form of [uri, link]) {
          const sent = (picture: string) => sentBy(model, input, field, picture)
          if ((await sent(form)) === undefined) continue
          for (const picture of spelt[form]!)
            expect([model.id, field, picture, await sent(picture)]).toEqual([model.id, field, picture, form])
          for (const picture of form === uri ? Object.values(broken) : [])
            expect([model.id, field, picture, await sent(picture)]).toEqual([
              model.id,
              field,
              picture,
              undefined,
            ])
        }
  },
)

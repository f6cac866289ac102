import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { modelFields } from '../models/model-fields.ts'
import { chosenSize } from './size.ts'

const fieldsOf = (entries: v.ObjectEntries) =>
  modelFields({ id: 'm', outputKind: 'image', input: toStandardJsonSchema(v.object(entries)) })

const side = v.pipe(v.number(), v.minValue(256), v.maxValue(1536), v.multipleOf(64))
const models = {
  sizes: { size: v.picklist(['1024x1024', '1536x1024', '1024x1536']) },
  anySize: { resolution: v.string() },
  sides: { width: side, height: side },
  named: { image_size: v.picklist(['square_hd', 'square', 'landscape_16_9', 'portrait_4_3']) },
  ratios: { aspect_ratio: v.picklist(['1:1', '16:9', '9:16']) },
  anyRatio: { ratio: v.string() },
  lines: { aspect_ratio: v.picklist(['1:1', '16:9', '9:16']), resolution: v.picklist(['480p', '720p']) },
  thousands: { aspect_ratio: v.picklist(['1:1', '3:2']), resolution: v.picklist(['1K', '2K', '4K']) },
  nothing: { prompt: v.string() },
}

test.each<[string, keyof typeof models, object, string | undefined]>([
  ['1536x1024', 'sizes', { size: '1536x1024' }, '1536x1024'],
  ['1792x1024', 'sizes', { size: '1536x1024' }, '1536x1024'],
  ['512x512', 'sizes', { size: '1024x1024' }, '1024x1024'],
  ['640x360', 'anySize', { resolution: '640x360' }, '640x360'],
  ['1000x2000', 'sides', { width: 1024, height: 1536 }, '1024x1536'],
  ['1792x1024', 'named', { image_size: 'landscape_16_9' }, '1024x576'],
  ['512x512', 'named', { image_size: 'square' }, '512x512'],
  ['1792x1024', 'ratios', { aspect_ratio: '16:9' }, '16:9'],
  ['1024x1536', 'anyRatio', { ratio: '2:3' }, '2:3'],
  ['1280x720', 'lines', { aspect_ratio: '16:9', resolution: '720p' }, '1280x720'],
  ['720x1280', 'lines', { aspect_ratio: '9:16', resolution: '720p' }, '720x1280'],
  ['9:16', 'lines', { aspect_ratio: '9:16' }, '9:16'],
  ['2048x2048', 'thousands', { aspect_ratio: '1:1', resolution: '2K' }, '1:1'],
  ['2K', 'thousands', { resolution: '2K' }, '2K'],
  ['1024x1024', 'nothing', {}, undefined],
  ['auto', 'sizes', {}, undefined],
])('the size %s becomes, for a model with %s, %j', (size, model, fields, shown) => {
  expect(chosenSize(size, fieldsOf(models[model]))).toEqual({ fields, size: shown })
})

test.each(['large', '0x10', '1024', '1024x', '-1x1'])('the text %s is no size', (text) => {
  expect(() => chosenSize(text, fieldsOf(models.sizes))).toThrow(/size must be auto or widthxheight/)
})

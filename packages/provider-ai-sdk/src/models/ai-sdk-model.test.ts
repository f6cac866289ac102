import type {
  Experimental_VideoModelV3,
  Experimental_VideoModelV4,
  ImageModelV2,
  ImageModelV3,
  ImageModelV4,
} from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { type AiSdkModel, isDurable, isMediaModel, isVideoModel } from './ai-sdk-model.ts'

const named = { provider: 'acme', modelId: 'acme-1' }
const response = { timestamp: new Date(0), modelId: 'acme-1', headers: undefined }
const images = { images: [new Uint8Array([1])], warnings: [], response }
const videos = { videos: [], warnings: [], response }

const image = { ...named, maxImagesPerCall: 1, doGenerate: async () => images }
const imageV2: ImageModelV2 = { ...image, specificationVersion: 'v2' }
const imageV3: ImageModelV3 = { ...image, specificationVersion: 'v3' }
const imageV4: ImageModelV4 = { ...image, specificationVersion: 'v4', maxImagesPerCall: () => 4 }
const videoV3: Experimental_VideoModelV3 = {
  ...named,
  specificationVersion: 'v3',
  maxVideosPerCall: undefined,
  doGenerate: async () => videos,
}
const videoV4: Experimental_VideoModelV4 = {
  ...named,
  specificationVersion: 'v4',
  maxVideosPerCall: 1,
  doStart: async () => ({ operation: { id: '1' }, warnings: [], response }),
  doStatus: async () => ({ status: 'pending', response }),
}

test('image and video models of every version of the AI SDK’s specification are accepted', () => {
  const all: readonly AiSdkModel[] = [imageV2, imageV3, imageV4, videoV3, videoV4]
  expect(all.map(isMediaModel)).toEqual([true, true, true, true, true])
  expect(all.map(isVideoModel)).toEqual([false, false, false, true, true])
  expect(all.map(isDurable)).toEqual([false, false, false, false, true])
})

test('an AI SDK model that makes neither images nor videos is refused', () => {
  const language = { ...named, specificationVersion: 'v4', doGenerate() {}, doStream() {} }
  const nothing = { ...named, specificationVersion: 'v4', maxImagesPerCall: 1 }
  const startOnly = { ...named, specificationVersion: 'v4', maxVideosPerCall: 1, doStart() {} }
  for (const other of [language, nothing, startOnly, 'openai/gpt-image-1', {}, null, undefined, () => {}])
    expect(isMediaModel(other)).toBe(false)
})

import {
  type Experimental_VideoModelV4 as VideoModelV4,
  type ImageModelV4,
  NoSuchModelError,
  type ProviderV4,
} from '@ai-sdk/provider'
import { type ClientOptions, createClient } from '@genmount/client'
import { fieldReader } from './input/field-reader.ts'
import { imageModel } from './models/image-model.ts'
import { videoModel } from './models/video-model.ts'

/** The models of a genmount server, for `generateImage` and `experimental_generateVideo` of the AI SDK. */
export interface GenmountProvider extends ProviderV4 {
  /** An image model of the server. @param modelId its id */
  image(modelId: string): ImageModelV4
  /** The same as `image`. */
  imageModel(modelId: string): ImageModelV4
  /** A video model of the server. @param modelId its id */
  video(modelId: string): VideoModelV4
  /** The same as `video`. */
  videoModel(modelId: string): VideoModelV4
}

/**
 * Makes a provider for the AI SDK that runs the models of a genmount server. One call makes one job: the SDK's own retries
 * never make a second one. It sends nothing until a model is used.
 * @param options the options of `createClient` of `@genmount/client`
 * @throws TypeError when an option is wrong
 * @example
 * const genmount = createGenmount({ baseUrl: 'https://example.org/media', apiKey: 'key' })
 * const { image } = await generateImage({ model: genmount.image('flux'), prompt: 'a kite' })
 */
export function createGenmount(options: ClientOptions): GenmountProvider {
  const client = createClient(options)
  const images = { client, fieldsOf: fieldReader(client, 'image') }
  const videos = { client, fieldsOf: fieldReader(client, 'video') }
  const image = (modelId: string) => imageModel(images, modelId)
  const video = (modelId: string) => videoModel(videos, modelId)
  return {
    specificationVersion: 'v4',
    image,
    imageModel: image,
    video,
    videoModel: video,
    languageModel: (modelId) => noSuchModel(modelId, 'languageModel'),
    embeddingModel: (modelId) => noSuchModel(modelId, 'embeddingModel'),
  }
}

function noSuchModel(modelId: string, modelType: 'languageModel' | 'embeddingModel'): never {
  throw new NoSuchModelError({ modelId, modelType, message: 'A genmount server has image and video models.' })
}

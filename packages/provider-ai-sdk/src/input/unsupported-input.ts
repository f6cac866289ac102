import { type AiSdkModel, isVideoModel } from '../models/ai-sdk-model.ts'
import type { MediaInput } from './input-schema.ts'

/**
 * Asks the model whether it supports the pictures of the input. A model that does not would ignore them, and its image
 * would be charged all the same. Many models do not say what they support.
 * @returns a message for the client; `undefined` when the model supports the input, or does not say
 */
export async function unsupportedInput(model: AiSdkModel, input: MediaInput): Promise<string | undefined> {
  if (isVideoModel(model)) return undefined
  if (input.image !== undefined && (await model.supportsFileInputs) === false)
    return 'This model does not accept an image.'
  if ('mask' in input && (await model.supportsMaskInputs) === false)
    return 'This model does not accept a mask.'
  return undefined
}

import type { ModelCall } from '../tasks/model-call.ts'
import { type AiSdkModel, isVideoModel } from './ai-sdk-model.ts'

/**
 * Asks the model whether it supports the pictures of a call. A model that does not support them would ignore them, and
 * the vendor would charge for its image nevertheless. Many models do not say what they support.
 * @returns a message for the client; `undefined` when the model supports the pictures, or does not say
 */
export async function unsupportedInput(model: AiSdkModel, call: ModelCall): Promise<string | undefined> {
  if (isVideoModel(model)) return undefined
  if (call['files'] !== undefined && (await model.supportsFileInputs) === false)
    return 'This model does not accept an image.'
  if (call['mask'] !== undefined && (await model.supportsMaskInputs) === false)
    return 'This model does not accept a mask.'
  return undefined
}

import { type AiSdkModel, isVideoModel } from '../models/ai-sdk-model.ts'
import type { MediaInput } from './input-schema.ts'

/** What the model says that it can't do with this input, which it would leave out and charge for; often it says nothing. */
export async function unsupportedInput(model: AiSdkModel, input: MediaInput): Promise<string | undefined> {
  if (isVideoModel(model)) return undefined
  if (input.image !== undefined && (await model.supportsFileInputs) === false)
    return 'This model takes no image.'
  if ('mask' in input && (await model.supportsMaskInputs) === false) return 'This model takes no mask.'
  return undefined
}

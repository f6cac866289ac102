import type { JsonObject } from '@genmount/core'
import type { OfferedModel } from '../provider/kling-options.ts'
import { currentRequest } from './current-request.ts'
import { legacyRequest } from './legacy-request.ts'
import type { TaskOptions, TaskRequest } from './task-input.ts'

/**
 * Turns a job's input into the request that starts its task.
 * @returns a text for the job's owner, when Kling can't express the input
 */
export function taskRequest(
  input: JsonObject,
  model: OfferedModel,
  options: TaskOptions,
): TaskRequest | string {
  const translated = model.vendorInput(input)
  if (!translated) return 'The input cannot be translated for this model.'
  if (input['last_frame'] !== undefined && input['image'] === undefined)
    return 'last_frame is only accepted together with image.'
  if (input['video'] !== undefined) {
    const other = ['image', 'reference_videos'].find((name) => input[name] !== undefined)
    if (other !== undefined) return `video is not accepted together with ${other}.`
  }
  if (input['sound'] === true && input['reference_videos'] !== undefined)
    return 'sound is not accepted together with reference_videos.'
  const of = { ...model, parameters: { ...translated, ...model.fixed } }
  return model.design === 'legacy' ? legacyRequest(of, options) : currentRequest(of, options)
}

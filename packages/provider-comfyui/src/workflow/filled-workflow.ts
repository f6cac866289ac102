import type { Json, JsonObject } from '@genmount/core'
import { inputFiles } from './input-files.ts'
import type { InputPlaces, Workflow } from './workflow.ts'

/**
 * A copy of the workflow with the input written into it. A place keeps its value if its input is not given, or if a
 * list has no file for this place.
 * @param input the input of the job, with the names of files in ComfyUI in place of the files
 * @returns `undefined` when a `value` function of the app fails. It does not throw, because a throw during a submit
 *   means that ComfyUI may have accepted the task
 */
export function filledWorkflow(
  workflow: Workflow,
  places: InputPlaces,
  input: JsonObject,
): Workflow | undefined {
  // `structuredClone` is not used, because two nodes of the app may be the same object, and would be the same object in
  // the copy.
  const nodes = Object.entries(workflow).map(
    ([id, node]) => [id, { ...node, inputs: { ...node.inputs } }] as const,
  )
  const filled: Record<string, { readonly class_type: string; readonly inputs: Record<string, unknown> }> =
    Object.fromEntries(nodes)
  for (const [name, targets] of places) {
    const isList = inputFiles(targets[0])?.isList === true
    for (const [index, { node, field, value }] of targets.entries()) {
      const fieldValue = isList ? ([input[name] ?? []].flat()[index] as Json | undefined) : input[name]
      if (fieldValue === undefined) continue
      try {
        filled[node]!.inputs[field] = value ? value(fieldValue) : fieldValue
      } catch {
        return undefined
      }
    }
  }
  return filled
}

/**
 * The seed of a task whose input has none. It differs from task to task, and stays the same when a task is submitted
 * again. Without it, every job would use the seed in the workflow and get the same picture.
 * @param clientToken the token of the task, which begins with eight hexadecimal digits
 */
export function seedFor(clientToken: string, places: InputPlaces): JsonObject {
  const [place] = places.get('seed') ?? []
  if (!place) return {}
  const { min = 0, max = 4294967295 } = place
  return { seed: min + (Number.parseInt(clientToken.slice(0, 8), 16) % (max - min + 1)) }
}

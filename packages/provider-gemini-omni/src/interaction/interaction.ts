import * as v from 'valibot'
import { interactionUsage } from './interaction-tokens.ts'

/** The id becomes part of a path, so it must not contain anything that leads to another path. */
export const interactionId = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.~=-]{1,1024}$/))

/** A part of an answer: text, or a film as base64 in `data` or as a link in `uri`. */
const content = v.object({
  type: v.nullish(v.string()),
  text: v.nullish(v.string()),
  data: v.nullish(v.string()),
  uri: v.nullish(v.string()),
})
const fault = v.object({ code: v.nullish(v.union([v.string(), v.number()])), message: v.nullish(v.string()) })

const step = v.object({
  type: v.nullish(v.string()),
  content: v.fallback(v.array(v.fallback(content, {})), []),
  error: v.fallback(v.nullish(fault), undefined),
})

/**
 * The parts of `Interaction` in the Interactions API that matter for films. The documentation of a failed interaction
 * has `errors`; real servers have sent `error`.
 */
export const interactionAnswer = v.object({
  status: v.string(),
  steps: v.fallback(v.array(v.fallback(step, { content: [] })), []),
  output_video: v.fallback(v.nullish(content), undefined),
  error: v.fallback(v.nullish(fault), undefined),
  errors: v.fallback(v.nullish(v.array(v.fallback(fault, {}))), undefined),
  usage: v.fallback(v.nullish(interactionUsage), undefined),
})

export type Interaction = v.InferOutput<typeof interactionAnswer>
export type InteractionContent = v.InferOutput<typeof content>

/** The films of the last step that has a film. An interaction repeats its input, so other steps do not count. */
export function filmsIn({ steps, output_video }: Interaction): readonly InteractionContent[] {
  const ofSteps = outputsOf(steps).map((parts) =>
    parts.filter((part) => part.type === 'video' && isFilled(part)),
  )
  const last = ofSteps.findLast((films) => films.length > 0)
  return last ?? (output_video && isFilled(output_video) ? [output_video] : [])
}

/** The text that Google has answered with, instead of a film or beside it. */
export function textIn({ steps }: Interaction): string {
  return outputsOf(steps)
    .flat()
    .map(({ text }) => text?.trim() ?? '')
    .filter(Boolean)
    .join(' ')
}

/** Why an interaction has not succeeded, in Google's words; `undefined` when Google gives no reason. */
export function faultIn({
  error,
  errors,
  steps,
}: Interaction): { code: string; message: string } | undefined {
  const faults = [error, ...(errors ?? []), ...steps.map((one) => one.error)]
  const found = faults.find((one) => one?.message || one?.code)
  if (!found) return undefined
  const code = String(found.code ?? '')
  return { code, message: found.message || code }
}

function outputsOf(steps: Interaction['steps']): readonly (readonly InteractionContent[])[] {
  return steps.flatMap(({ type, content: parts }) => (type === 'model_output' ? [parts] : []))
}

function isFilled({ data, uri }: InteractionContent): boolean {
  return Boolean(data) || Boolean(uri)
}

import type { ProviderFailure } from '@genmount/core'
import { filmsIn } from '../files/film-files.ts'
import { type AnswerFiles, partWith, recordOf, vendorReason } from '@genmount/provider-kit'
import * as v from 'valibot'

/** The id becomes part of a path, so it must not contain anything that leads to another path. */
export const interactionId = v.pipe(v.string(), v.regex(/^(?!\.{1,2}$)[\w.~=-]{1,1024}$/))

/** The parts of `Interaction` in the Interactions API that matter for films. */
export type Interaction = Readonly<Record<string, unknown>>

/** The films of the last step that has a film. An interaction repeats its input, so other steps do not count. */
export function filmsOf(interaction: Interaction): AnswerFiles {
  const ofSteps = outputsOf(interaction).map(({ content, at }) => filmsIn(withoutOthers(content), at))
  const last = ofSteps.findLast((films) => films.hasOutput)
  if (last) return last
  const { output_video, outputs } = interaction
  const own = filmsIn(output_video ?? withoutOthers(outputs), output_video ? 'output_video' : 'outputs')
  return own.hasOutput ? own : (ofSteps.findLast((films) => films.list.length > 0) ?? own)
}

/** The text that Google has answered with, instead of a film or beside it. */
export function textIn(interaction: Interaction): string {
  return vendorReason(outputsOf(interaction).map(({ content }) => content))?.message ?? ''
}

/**
 * Why an interaction has not succeeded, in Google's words; `undefined` when Google gives no reason. The documentation
 * of a failed interaction has `errors`; real servers have sent `error`.
 */
export function faultIn({ error, errors, steps }: Interaction) {
  const ofSteps = listIn(steps).map((step) => recordOf(step)['error'])
  return vendorReason({ errors: [error, errors, ...ofSteps].flat().filter(Boolean) }, failureOf)
}

function failureOf(code: string): ProviderFailure | undefined {
  if (/SAFETY|PROHIBITED_CONTENT|BLOCKLIST/i.test(code)) return 'content_policy'
  return /invalid_(?:request|argument)/i.test(code) ? 'provider_rejected' : undefined
}

function outputsOf({ steps }: Interaction): readonly { content: unknown; at: string }[] {
  return listIn(steps).flatMap((step, index) => {
    const { type, content } = partWith('content', step)
    const isOutput = type === 'model_output' || typeof type !== 'string'
    return isOutput ? [{ content, at: `steps[${index}].content` }] : []
  })
}

/** The parts that can be films. */
function withoutOthers(content: unknown): unknown {
  const isOther = (type: unknown) => typeof type === 'string' && type !== 'video'
  return Array.isArray(content) ? content.filter((part) => !isOther(recordOf(part)['type'])) : content
}

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const { data, output } = recordOf(value)
  if (data !== undefined || output !== undefined) return listIn(data ?? output)
  return value === undefined || value === null ? [] : [value]
}

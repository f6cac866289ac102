import type { OutputKind } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'

const imageMessage = 'image must be an http(s) URL, or a data URI in base64.'

const shared = {
  prompt: v.optional(text('prompt', 1)),
  negative_prompt: v.optional(text('negative_prompt', 0)),
  image: v.optional(imageInput()),
  aspect_ratio: v.optional(word('aspect_ratio', '16:9')),
  resolution: v.optional(word('resolution', '720p')),
  seed: v.optional(numberWithin('seed', 0, Number.MAX_SAFE_INTEGER, 'whole')),
}

const providerOptions = {
  provider_options: v.optional(
    v.custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'provider_options must be an object with inputs of the model.',
    ),
  ),
}

const entries = {
  image: {
    ...shared,
    num_outputs: v.optional(numberWithin('num_outputs', 1, 10, 'whole')),
    ...providerOptions,
  },
  video: {
    ...shared,
    duration: v.optional(numberWithin('duration', 1, 600)),
    fps: v.optional(numberWithin('fps', 1, 120)),
    ...providerOptions,
  },
}

const { provider_options: _, ...named } = { ...entries.image, ...entries.video }

export type InputName = keyof typeof named

/** The fields that are inputs of the model under their own names, unless `names` says otherwise. */
export const inputNames = Object.keys(named) as readonly InputName[]

/** What a model of that kind takes; what it makes of the values is the model's matter. */
export function inputSchema(kind: OutputKind) {
  const accepted = Object.keys(entries[kind]).join(', ')
  const closed = v.strictObject(entries[kind], (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    return `${String(key)} is unknown; this model takes ${accepted}.`
  })
  return v.pipe(
    closed,
    v.forward(
      v.check(
        ({ prompt, image, provider_options: options }) =>
          prompt !== undefined || image !== undefined || options !== undefined,
        'prompt is required where there is no image and no provider_options.',
      ),
      ['prompt'],
    ),
  )
}

function imageInput() {
  return v.pipe(
    v.string(imageMessage),
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? imageFault(dataset.value) : undefined
      if (fault !== undefined) addIssue({ message: fault })
    }),
  )
}

/** Handed on unfetched, but not where it leads into somebody's private network. */
function imageFault(image: string): string | undefined {
  if (/^data:[\w.+-]+\/[\w.+-]+;base64,/i.test(image)) return undefined
  if (!/^https?:/i.test(image)) return imageMessage
  const verdict = classifyUrl(image)
  return verdict.allowed ? undefined : `image: ${verdict.refusal.message}`
}

function text(field: string, minLength: number) {
  const message = `${field} must be a text of ${minLength} to 32000 characters.`
  const fits = (given: string) => given.length <= 32_000 && given.trim().length >= minLength
  return v.pipe(v.string(message), v.check(fits, message))
}

/** Models differ in the words that they know, and refuse the others themselves. */
function word(field: string, example: string) {
  const message = `${field} must be a word such as ${example}.`
  return v.pipe(v.string(message), v.regex(/^[\w:.-]{1,40}$/, message))
}

function numberWithin(field: string, low: number, high: number, kind?: 'whole') {
  const message = `${field} must be a ${kind ? 'whole ' : ''}number from ${low} to ${high}.`
  const whole = (value: number) => kind === undefined || Number.isInteger(value)
  return v.pipe(
    v.number(message),
    v.check(whole, message),
    v.minValue(low, message),
    v.maxValue(high, message),
  )
}

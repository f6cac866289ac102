import type { Json } from '@genmount/core'
import type { SchemaPart } from './published-model.ts'

/**
 * How a partner wants pictures. `link`: links and data URIs. `bare`: links, and base64 without what comes before it.
 * `inline`: only data URIs, because the Router follows no links but those to Comfy's own storage.
 */
export type Habit = 'link' | 'bare' | 'inline'

/** The partners that differ, as their schemas say in prose (Comfy-Org/docs router-schemas, read on 2026-11-27). */
const habits: Readonly<Record<string, Habit>> = {
  bfl: 'bare',
  kling: 'bare',
  openai: 'inline',
  ideogram: 'inline',
  vertexai: 'inline',
  veo: 'inline',
}

/** How the partner of a model wants pictures. @param model the id at the Router */
export function habitOf(model: string): Habit {
  return habits[model.replace(/\/.*/, '')] ?? 'link'
}

/**
 * What a picture becomes in an object around it.
 * @returns `undefined` when the object is for another kind of thing
 */
export function pictureMaker({ properties }: SchemaPart): ((url: string) => Json) | undefined {
  if (properties?.['bytesBase64Encoded'])
    return (url) => {
      const { mimeType, data } = inlinePicture(url)
      return { bytesBase64Encoded: data, mimeType }
    }
  return properties?.['url'] ? (url) => ({ url }) : undefined
}

/** The parts of a data URI. @throws Error when it is none */
export function inlinePicture(uri: string): { readonly mimeType: string; readonly data: string } {
  const [, mimeType, data] = /^data:([^;,]+)[^,]*;base64,(.+)$/is.exec(uri) ?? []
  if (mimeType === undefined || data === undefined) throw new Error('The picture is no data URI.')
  return { mimeType, data }
}

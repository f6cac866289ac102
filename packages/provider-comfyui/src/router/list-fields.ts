import type { VendorFields } from '@genmount/provider-kit'
import { type Habit, inlinePicture } from './picture-value.ts'
import type { SchemaPlace } from './schema-places.ts'

/** The fields that go into a list of typed parts, and the parameters of the model that have such a list. */
export type ListFields = Partial<VendorFields> & { readonly roots: readonly string[] }

/** The fields of models that take prompt and files in one list: Gemini, Seedance and Wan. */
export function listFields(places: readonly SchemaPlace[], habit: Habit): ListFields {
  for (const { path, part } of places) {
    const roots = [path.replace(/\..*/, '')]
    const item = part.items?.properties
    if (path === 'contents' && item?.['parts'] && habit === 'inline') return { ...contentsFields, roots }
    const types = (item?.['type']?.enum ?? []).filter((type) => typeof type === 'string')
    if (types.includes('text') && types.includes('image_url')) return { ...contentFields(path, types), roots }
    if (types.includes('first_frame') && item?.['url']) return { ...mediaFields(path, types), roots }
  }
  return { roots: [] }
}

/** Gemini's `contents`. */
const contentsFields: VendorFields = {
  prompt: (text) => inContents([{ text }]),
  image: (url) => inContents([{ inlineData: { ...inlinePicture(url) } }]),
  reference_images: (urls) => inContents(urls.map((url) => ({ inlineData: { ...inlinePicture(url) } }))),
}

function inContents(parts: readonly (Readonly<Record<'text', string>> | { readonly inlineData: object })[]) {
  return { 'contents.0.role': 'user', 'contents.0.parts': parts as never }
}

/** Seedance's `content`. */
function contentFields(path: string, types: readonly string[]): VendorFields {
  const part = (type: string, url: string, role: string) => ({ type, [type]: { url }, role })
  const list = (type: string, role: string) => (urls: readonly string[]) => ({
    [path]: urls.map((url) => part(type, url, role)),
  })
  return {
    prompt: (text) => ({ [path]: [{ type: 'text', text }] }),
    image: (url) => ({ [path]: [part('image_url', url, 'first_frame')] }),
    last_frame: (url) => ({ [path]: [part('image_url', url, 'last_frame')] }),
    reference_images: list('image_url', 'reference_image'),
    ...(types.includes('video_url') && { reference_videos: list('video_url', 'reference_video') }),
    ...(types.includes('audio_url') && {
      audio: (url: string) => ({ [path]: [part('audio_url', url, 'reference_audio')] }),
    }),
  }
}

/** Wan's `input.media`. */
function mediaFields(path: string, types: readonly string[]): VendorFields {
  const one = (type: string) => types.includes(type) && ((url: string) => ({ [path]: [{ type, url }] }))
  const many = (type: string) =>
    types.includes(type) && ((urls: readonly string[]) => ({ [path]: urls.map((url) => ({ type, url })) }))
  return {
    image: one('first_frame'),
    last_frame: one('last_frame'),
    reference_images: many('reference_image'),
    reference_videos: many('reference_video'),
    audio: one('reference_audio'),
    video: one('video'),
  }
}

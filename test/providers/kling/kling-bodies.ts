import * as v from 'valibot'
import { fields, filled, oneOf, whole } from '../body-schemas.ts'

/*
 * What Kling's endpoints accept, by its own pages (https://kling.ai/document-api/api/...), whose text in Chinese stored copies have
 * (read on 2026-11-27): video/3-0-omni/text-to-video, image-to-video and video-omni, video/3-0-turbo/image-to-video,
 * video/2-6/text-to-video, image/2-1/image-generation, image/3-0-omni/image-omni. Second hand: the text-to-video of 3.0 Turbo
 * (docs.cloudsway.net/maasapi, 2026-11), and the older endpoints of films (docs of a reseller, and notes of customers, 2026-02).
 */

/** A URL, or base64 without `data:` before it. */
const file = v.pipe(v.string(), v.regex(/^(?:https?:\/\/.+|[A-Za-z0-9+/]+={0,2})$/))
const url = v.pipe(v.string(), v.url())
const text = (most: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(most))
const watermark_info = v.optional(v.strictObject({ enabled: v.boolean() }))
const own = { callback_url: v.optional(url), external_task_id: v.optional(text(100)), watermark_info }
const options = v.optional(v.strictObject(own))

const shape = oneOf('16:9 9:16 1:1')
const hd = oneOf('720p 1080p')
const uhd = oneOf('720p 1080p 4k')
const audio = oneOf('native off')
const long = { duration: whole(3, 15) }
const multi_shot = v.optional(v.boolean())

const prompt = v.strictObject({ type: v.literal('prompt'), text: text(3072) })
const picture = (...types: readonly string[]) =>
  v.strictObject({ type: v.picklist(types), url: file, id: v.optional(filled) })
const film = v.strictObject({
  type: v.picklist(['feature_video', 'base_video']),
  url,
  id: v.optional(filled),
})
const element = v.strictObject({ type: v.literal('element'), element_id: filled, id: filled })

type Item = { readonly type: string }
interface FilmBody {
  readonly contents: readonly Item[]
  readonly settings?: Readonly<Record<string, unknown>> | undefined
}

/** The films that are made from files, with the rules between their files and settings. */
function ofContents(settings: v.ObjectEntries, ...items: v.GenericSchema[]) {
  const contents = v.array(v.union(items)) as v.GenericSchema<readonly Item[]>
  const schema = v.strictObject({
    contents,
    settings: v.optional(v.strictObject(settings)),
    options,
  }) as v.GenericSchema<FilmBody>
  return v.pipe(
    schema,
    v.check(({ contents: list, settings = {} }) => {
      const count = (type: string) => list.filter((item) => item.type === type).length
      const films = count('feature_video') + count('base_video')
      const frames = count('first_frame') + count('last_frame')
      if (count('last_frame') > count('first_frame') || count('first_frame') > 1 || films > 1) return false
      if (count('feature_video') && (settings['audio'] ?? 'off') !== 'off') return false
      if (count('base_video'))
        return frames === 0 && settings['audio'] !== 'native' && settings['multi_shot'] === false
      if (count('refer_image') + count('element') > (films ? 4 : 7)) return false
      // Only the endpoints with all kinds of files have a shape.
      const isOmni = items.includes(film)
      return !isOmni || frames > 0 || films > 0 || settings['aspect_ratio'] !== undefined
    }),
  )
}

const ofText = (settings: v.ObjectEntries, most = 3072) =>
  v.strictObject({ prompt: text(most), settings: v.optional(v.strictObject(settings)), options })

const omni = [prompt, picture('first_frame', 'last_frame', 'refer_image'), film, element]

const images = {
  model_name: v.picklist(['kling-v3', 'kling-v2-1']),
  prompt: text(2500),
  negative_prompt: v.optional(text(2500)),
  image: v.optional(file),
  resolution: oneOf('1k 2k'),
  n: whole(1, 9),
  aspect_ratio: oneOf('16:9 9:16 1:1 4:3 3:4 3:2 2:3 21:9'),
  ...own,
  ...fields('image_reference image_fidelity human_fidelity element_list'),
}
const olderFilms = {
  prompt: v.optional(text(2500)),
  negative_prompt: v.optional(text(2500)),
  mode: oneOf('std pro 4k'),
  duration: oneOf('3 4 5 6 7 8 9 10 11 12 13 14 15'),
  sound: oneOf('on off'),
  ...own,
  ...fields('multi_shot shot_type multi_prompt element_list voice_list cfg_scale'),
}
const olderNames = v.picklist(['kling-v3', 'kling-v2-6', 'kling-v2-5-turbo'])

const bodies: Readonly<Record<string, v.GenericSchema>> = {
  '/text-to-video/kling-3.0': ofText({ multi_shot, audio, resolution: uhd, aspect_ratio: shape, ...long }),
  '/image-to-video/kling-3.0': ofContents(
    { multi_shot, audio, resolution: uhd, ...long },
    prompt,
    picture('first_frame', 'last_frame'),
    element,
  ),
  '/omni-video/kling-3.0-omni': ofContents(
    { multi_shot, audio: oneOf('native original off'), resolution: uhd, aspect_ratio: shape, ...long },
    ...omni,
  ),
  '/text-to-video/kling-3.0-turbo': ofText({ resolution: hd, aspect_ratio: shape, ...long }),
  '/image-to-video/kling-3.0-turbo': ofContents(
    { resolution: hd, ...long },
    v.strictObject({ ...prompt.entries, text: text(2500) }),
    picture('first_frame'),
  ),
  '/text-to-video/kling-2.6': v.pipe(
    ofText(
      { audio, resolution: hd, aspect_ratio: shape, duration: v.optional(v.picklist([5, 10])) },
      2500,
    ) as v.GenericSchema<Pick<FilmBody, 'settings'>>,
    v.check(({ settings = {} }) => settings['audio'] !== 'native' || settings['resolution'] === '1080p'),
  ),
  '/v1/images/generations': v.pipe(
    v.strictObject(images),
    v.check(({ image, negative_prompt }) => image === undefined || negative_prompt === undefined),
  ),
  '/v1/images/omni-image': v.strictObject({
    model_name: v.picklist(['kling-image-o1', 'kling-v3-omni']),
    prompt: text(2500),
    image_list: v.optional(v.pipe(v.array(v.strictObject({ image: file })), v.minLength(1), v.maxLength(10))),
    resolution: oneOf('1k 2k 4k'),
    result_type: oneOf('single series'),
    n: whole(1, 9),
    aspect_ratio: oneOf('16:9 9:16 1:1 4:3 3:4 3:2 2:3 21:9 auto'),
    ...own,
    ...fields('element_list series_amount'),
  }),
  '/v1/videos/text2video': v.strictObject({ model_name: olderNames, ...olderFilms, aspect_ratio: shape }),
  '/v1/videos/image2video': v.strictObject({
    model_name: olderNames,
    ...olderFilms,
    image: file,
    image_tail: v.optional(file),
  }),
  '/v1/videos/omni-video': v.strictObject({
    model_name: v.picklist(['kling-v3-omni', 'kling-video-o1']),
    ...olderFilms,
    aspect_ratio: shape,
    image_list: v.optional(
      v.array(v.strictObject({ image_url: file, type: oneOf('first_frame end_frame') })),
    ),
    video_list: v.optional(
      v.array(
        v.strictObject({
          video_url: url,
          refer_type: v.picklist(['feature', 'base']),
          keep_original_sound: oneOf('yes no'),
        }),
      ),
    ),
  }),
}

/** What the endpoint accepts. @returns `undefined` for an endpoint that there is not */
export function bodyOf(path: string): v.GenericSchema | undefined {
  return Object.hasOwn(bodies, path) ? bodies[path] : undefined
}

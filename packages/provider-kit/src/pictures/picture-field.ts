import { isBase64 } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'
import { isCutOff } from './is-cut-off.ts'
import { isUriOf, namesOf, type PictureType, type PictureUri, pictureUri, shownType } from './picture-uri.ts'

/** Which pictures a field accepts. */
export interface PictureRules {
  /**
   * The types of pictures that a data URI may contain. `'any'` accepts every `image/…` type, `'any-video'` every
   * `video/…` type and `'any-audio'` every `audio/…` type, unless the first bytes show something else.
   */
  readonly types: readonly PictureType[] | keyof typeof anyOf
  /**
   * Which hosts a URL may name. `'public'` refuses hosts that `classifyUrl` refuses. `'any'` accepts every address and
   * port, and leaves that check to the code that fetches the URL.
   * @default 'public'
   */
  readonly hosts?: 'public' | 'any'
  /** The longest data URI, in characters. @default no limit */
  readonly maxUriLength?: number
}

const maxUrlLength = 8192
const tooLong = `A URL may have at most ${maxUrlLength} characters.`

const anyOf = {
  any: { prefix: 'image/', words: 'a picture' },
  'any-video': { prefix: 'video/', words: 'a film' },
  'any-audio': { prefix: 'audio/', words: 'a recording' },
} as const

/**
 * A picture, given as an http(s) URL of at most 8192 characters or as a data URI in base64. The URL is not fetched. It
 * becomes the `href` that was checked, because a vendor's parser may read another spelling as another address.
 */
export function pictureField(name: string, rules: PictureRules) {
  return v.pipe(checkedPicture(name, rules), v.transform(sentForm))
}

/** One picture, or a list of 1 to `max` pictures. Each is given as in `pictureField`. */
export function picturesField(name: string, max: number, rules: PictureRules) {
  const message = `${name} must be a URL or a data URI, or a list of 1 to ${max} of them.`
  const picture = checkedPicture(name, rules)
  const list = v.pipe(v.array(picture), v.minLength(1, message), v.maxLength(max, message))
  // After the union, because the messages of a union name no picture of a list that is transformed within it.
  return v.pipe(
    v.union([picture, list], message),
    v.transform((pictures) => (typeof pictures === 'string' ? sentForm(pictures) : pictures.map(sentForm))),
  )
}

/** A list of 1 to `max` pictures. Each is given as in `pictureField`. */
export function pictureListField(name: string, max: number, rules: PictureRules) {
  const accepted = max === 1 ? '1 URL or data URI' : `1 to ${max} URLs or data URIs`
  const message = `${name} must be a list of ${accepted}.`
  const list = v.array(pictureField(name, rules), message)
  return v.pipe(list, v.minLength(1, message), v.maxLength(max, message))
}

function checkedPicture(name: string, rules: PictureRules) {
  const { types } = rules
  const kind = typeof types === 'string' ? anyOf[types].words : namesOf(types)
  const form = `n http(s) URL, or a data URI with ${kind} in base64.`
  const accepted = `${name} must be a${form}`
  return v.pipe(
    v.string(accepted),
    v.check(
      (picture) => faultOf(picture, rules) === undefined,
      ({ input }) => `${name}: ${faultOf(input, rules)} ${accepted}`,
    ),
    v.description(`A${form}`),
  )
}

const unknownType = 'application/octet-stream'

/** What a data URI has instead of a file of these types, as in `contains something else`. */
function contentFault(types: PictureRules['types'], uri: PictureUri): string | undefined {
  if (typeof types !== 'string') return isUriOf(types, uri) ? undefined : 'contains something else'
  const { prefix, words } = anyOf[types]
  if (!uri.mediaType.startsWith(prefix)) return 'contains something else'
  const contentType = shownType(uri)
  // Vendors also read files that are not recognised here. Sound alone is also in containers of films, such as WebM.
  const isPicture = contentType?.startsWith('image/')
  const isOther =
    contentType === undefined || (contentType !== unknownType && isPicture !== (prefix === 'image/'))
  return isOther ? `contains no ${words.slice(2)}` : undefined
}

/** What stands in for an upload has the beginning of its file, and ends with zeros. */
const isStandIn = /A{8}$/

/** A data URI without parameters, which not all vendors accept, and a URL without blanks, line breaks and backslashes. */
function sentForm(picture: string): string {
  const uri = pictureUri(picture)
  if (!uri) return new URL(picture).href
  const head = `data:${uri.mediaType};base64,`
  return picture.startsWith(head) ? picture : `${head}${uri.base64}`
}

const brokenBase64 =
  'The base64 of the data URI is broken: it must be whole, with its padding (=), without blanks, line breaks and percent-encoding.'

function faultOf(picture: string, { types, hosts = 'public', maxUriLength = Infinity }: PictureRules) {
  const uri = pictureUri(picture)
  if (uri && picture.length > maxUriLength) return `A data URI may have at most ${maxUriLength} characters.`
  if (uri && !isBase64(uri.base64)) return brokenBase64
  const fault = uri && contentFault(types, uri)
  if (fault !== undefined) return `The data URI ${fault}.`
  if (uri && !isStandIn.test(uri.base64.slice(-8)) && isCutOff(uri.base64))
    return 'The data URI is cut off: the end of the file is missing.'
  if (uri) return undefined
  if (/^data:/i.test(picture)) return 'The data URI contains something else.'
  if (picture.length > maxUrlLength) return tooLong
  // In the form that is sent, it would be another character.
  if (!picture.isWellFormed() || picture.includes('\0'))
    return 'The URL contains NUL or half of a surrogate pair, which no vendor can read.'
  const verdict = classifyUrl(picture)
  if (verdict.allowed) return verdict.url.href.length > maxUrlLength ? tooLong : undefined
  const { reason, message } = verdict.refusal
  return hosts === 'any' && (reason === 'address' || reason === 'port') ? undefined : message
}

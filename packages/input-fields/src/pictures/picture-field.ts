import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'
import { isUriOf, namesOf, type PictureType, pictureUri } from './picture-uri.ts'

/** Which pictures a field accepts. */
export interface PictureRules {
  /**
   * The types of pictures that a data URI may contain. `'any'` accepts every `image/…` type, without a look at the
   * bytes.
   */
  readonly types: readonly PictureType[] | 'any'
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

/** A picture, given as an http(s) URL of at most 8192 characters or as a data URI in base64. The URL is not fetched. */
export function pictureField(name: string, rules: PictureRules) {
  const { types } = rules
  const kind = types === 'any' ? 'a picture' : namesOf(types)
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

/** One picture, or a list of 1 to `max` pictures. Each is given as in `pictureField`. */
export function picturesField(name: string, max: number, rules: PictureRules) {
  const message = `${name} must be a URL or a data URI, or a list of 1 to ${max} of them.`
  const list = v.pipe(v.array(pictureField(name, rules)), v.minLength(1, message), v.maxLength(max, message))
  return v.union([pictureField(name, rules), list], message)
}

function faultOf(picture: string, { types, hosts = 'public', maxUriLength = Infinity }: PictureRules) {
  const uri = pictureUri(picture)
  if (uri && (types === 'any' ? uri.mediaType.startsWith('image/') : isUriOf(types, uri)))
    return picture.length > maxUriLength
      ? `A data URI may have at most ${maxUriLength} characters.`
      : undefined
  if (/^data:/i.test(picture)) return 'The data URI contains something else.'
  if (picture.length > maxUrlLength) return `A URL may have at most ${maxUrlLength} characters.`
  const verdict = classifyUrl(picture)
  if (verdict.allowed) return undefined
  const { reason, message } = verdict.refusal
  return hosts === 'any' && (reason === 'address' || reason === 'port') ? undefined : message
}

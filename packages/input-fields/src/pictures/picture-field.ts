import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'
import { isUriOf, namesOf, type PictureType, pictureUri } from './picture-uri.ts'

export interface PictureRules {
  /** What a data URI may hold. `any` leaves that to whoever reads it. */
  readonly types: readonly PictureType[] | 'any'
  /** Where a URL may lead, by its text alone. `any`: whoever fetches it checks that. @default 'public' */
  readonly hosts?: 'public' | 'any'
  /** The longest data URI, in characters. @default none */
  readonly maxUriLength?: number
}

const maxUrlLength = 8192

/** A picture as an http(s) URL or a data URI. Nothing is fetched. */
export function pictureField(name: string, rules: PictureRules) {
  const { types } = rules
  const kind = types === 'any' ? 'a picture' : `a ${namesOf(types)} picture`
  const accepted = `${name} must be an http(s) URL, or a data URI with ${kind} in base64.`
  return v.pipe(
    v.string(accepted),
    v.check(
      (picture) => faultOf(picture, rules) === undefined,
      ({ input }) => `${name}: ${faultOf(input, rules)} ${accepted}`,
    ),
  )
}

/** One picture, or a list of up to `max`. */
export function picturesField(name: string, max: number, rules: PictureRules) {
  const message = `${name} must be a URL or a data URI, or a list of 1 to ${max} of them.`
  const list = v.pipe(v.array(pictureField(name, rules)), v.minLength(1, message), v.maxLength(max, message))
  return v.union([pictureField(name, rules), list], message)
}

function faultOf(picture: string, { types, hosts = 'public', maxUriLength = Infinity }: PictureRules) {
  const uri = pictureUri(picture)
  if (uri && (types === 'any' || isUriOf(types, uri)))
    return picture.length > maxUriLength
      ? `A data URI may have ${maxUriLength} characters at the most.`
      : undefined
  if (/^data:/i.test(picture)) return 'The data URI holds something else.'
  if (picture.length > maxUrlLength) return `A URL may have ${maxUrlLength} characters at the most.`
  const verdict = classifyUrl(picture)
  if (verdict.allowed) return undefined
  const { reason, message } = verdict.refusal
  return hosts === 'any' && (reason === 'address' || reason === 'port') ? undefined : message
}

import { recordOf } from './record-of.ts'

/**
 * The message of an error, read from the first of the usual places that has one: `detail`, `error.message`, `error`,
 * `message` or `title`.
 * @param json the body of the answer
 * @returns `undefined` when there is no message
 */
export function messageOf(json: unknown): string | undefined {
  const { detail, error, message, title } = recordOf(json)
  const words = [textIn(detail), recordOf(error)['message'], error, message, title]
  return words.find((word): word is string => typeof word === 'string' && word !== '')
}

/** FastAPI sends `detail` as a text or as a list of `{ loc, msg }`. */
function textIn(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail
  const faults = detail.map((item) => {
    const { loc, msg } = recordOf(item)
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
    return typeof msg === 'string' ? [place, msg].filter(Boolean).join(': ') : ''
  })
  return faults.filter(Boolean).join('; ')
}

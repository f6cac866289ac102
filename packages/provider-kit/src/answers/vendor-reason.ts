import type { ProviderFailure } from '@genmount/core'
import { messageOf } from '../client/message-of.ts'
import { recordOf } from '../client/record-of.ts'
import { isNumbers } from './answered-file.ts'
import { unfolded, unfoldedFields } from './unfolded.ts'
import { namesIn } from './names-in.ts'

/** Why a vendor has not made what was asked for. */
export interface VendorReason {
  /** The vendor's words; empty when it has sent only a code. */
  readonly message: string
  /** What the vendor's code or words mean. */
  readonly code: ProviderFailure
}

/** Codes and states of vendors that mean moderation. */
const moderationCode =
  /content_?(?:policy|filter|moderat|check)|moderat(?:ed|ion)|safety|nsfw|prohibited_?content|sensitive_?content|risk_?detection|data_?inspection|^blocklist$|^spii$|recitation|policy_?violation/i
/** Codes of faults that have nothing to do with the content, whatever the words beside them are. */
const faultCode =
  /server_?error|internal|time_?d?_?out|rate_?limit|overload|unavailable|quota|billing|capacity|out_?of_?memory|download/i
/** Words of moderation. Their distances are limited, so that the search takes linear time in any text. */
const moderationWords =
  /\bnsfw\b|\bE005\b|flagged (?:as|by|for)|content[ _-]?(?:polic\w+|filter\w*|moderat\w*|checker)|\bmoderat(?:ed|ion)\b|safety (?:system|filter|setting|polic|guideline)|responsible ai|usage (?:guideline|polic)|violat\w{0,4}\b[^.]{0,200}\b(?:polic|guideline|terms|rules|standards)|\b(?:blocked|rejected|refused|declined|filtered)\b[^.]{0,200}\b(?:safety|polic|inappropriate|sexual|violen)|prohibited (?:content|use)|(?:inappropriate|harmful|unsafe|sexual|sensitive) (?:content|material|prompt|image|words?)|SAFETY_CHECK_TYPE|\bnew_sensitive|risk[ -]control|违规|敏感|违反/i
/** Words of a fault of the moderation itself. */
const brokenWords =
  /timed? ?out|unavailable|(?:could not|cannot|failed to|unable to) (?:load|reach|connect|run)/i

/** Whether a vendor's code says that moderation has refused something. */
function isModerationCode(code: unknown): boolean {
  return typeof code === 'string' && moderationCode.test(code)
}

/**
 * Whether a vendor's words say that moderation has refused something. Codes come first: ask only when the vendor has
 * sent none that is clear.
 */
export function isModeration(words: string): boolean {
  return moderationWords.test(words) && !brokenWords.test(words)
}

/** What a vendor's code means, or else its words. @param otherwise the meaning of any other words. */
export function failureBy(
  codes: readonly unknown[],
  words: string,
  otherwise: ProviderFailure = 'provider_failed',
): ProviderFailure {
  if (codes.some(isModerationCode)) return 'content_policy'
  if (codes.some((code) => typeof code === 'string' && faultCode.test(code))) return otherwise
  return isModeration(words) ? 'content_policy' : otherwise
}

const codeFields = namesIn(
  'code type error_code errorCode failureCode failure_code error_type blockReason block_reason',
  'finishReason finish_reason status',
)
/** Where vendors say why, whether or not there is an error. */
const reasonFields = namesIn(
  'error errors fault failure failure_reason failureReason fail_reason error_message errorMessage',
  'error_msg err_msg exception blockReasonMessage finishMessage raiFilteredReason raiMediaFilteredReasons',
  'refusal detail details',
)
/** Where a vendor's words may be, if there is no reason. */
const wordFields = namesIn('message msg reason status_message text content output output_text')
/** Where they may be, if there are none of these either. */
const lastFields = namesIn('description explanation note comment statusText')
/** Marks on what moderation has withheld. Their value is `true`, or a list with a mark for each output. */
const withheldMark =
  /^(?:(?:is|has|was|contains)_?)?(?:nsfw|flagged|blocked|moderated|unsafe|filtered)(?:_?(?:content|concepts?))?(?:_?(?:detected|found))?$/i
/** Such marks whose value is `false`. */
const safeMark = /^(?:is_?)?(?:image_?|content_?|prompt_?)?safe$/i
/** The names of other fields with the reason for a failure, and with other words, as vendors choose them. */
const otherReasons =
  /(?:err|error|exception|fail|failure|fault)(?:s|[a-z_]{0,40}(?:msg|message|reason|details?|description|string))?$|filtered_?reasons?$/i
const otherWords = /(?:msg|message|reason|warning|detail)s?$/i
/** What repeats the request, or says nothing of the task's end. */
const isEcho =
  /^(?:inputs?|init|source|original|reference|request|param|prompt(?!_?feedback)|negative|config|arguments|webhook|callback|urls|links|logs?|usage|metrics|timings?)/i

const maxDepth = 6
/** Words that say that all is well. */
const isPraise = /^(?:ok|success\w*|succeeded|completed?|done|finished|ready|stop|none|null)[.!]?$/i

/**
 * Why an answer has no output, in the vendor's words: an error, a reason for a block, the refusal of a model, or the text
 * that it has answered with.
 * @param answer a parsed answer, or the part of it that has the outputs
 * @param failureOf what the vendor's own codes mean, which count before anything else. @default nothing
 * @returns `undefined` when the answer says nothing
 */
export function vendorReason(
  answer: unknown,
  failureOf: (code: string) => ProviderFailure | undefined = () => undefined,
): VendorReason | undefined {
  const { reasons, words, lastWords, codes } = gathered(answer)
  const rest = words.length > 0 ? words : lastWords
  const message = (reasons.length > 0 ? reasons.slice(0, 3).join('; ') : rest.join(' ')).trim()
  const own = codes.map(failureOf).find((code) => code !== undefined)
  if (message === '' && own === undefined && !codes.some(isModerationCode)) return undefined
  const otherwise = reasons.length > 0 ? 'provider_failed' : 'output_invalid'
  return { message: message || codes.join(', '), code: own ?? failureBy(codes, message, otherwise) }
}

function gathered(answer: unknown) {
  const reasons = new Set<string>()
  const words = new Set<string>()
  const lastWords = new Set<string>()
  const codes = new Set<string>()
  const add = (to: Set<string>, text: unknown) => {
    if (typeof text === 'string' && text.trim() !== '' && !isPraise.test(text.trim())) to.add(text.trim())
  }

  /** Reads a reason: a text, an object with a message, or a list of either. */
  function readReason(value: unknown): void {
    if (Array.isArray(value) && !value.some((item) => 'msg' in recordOf(item)))
      return value.forEach(readReason)
    if (typeof value === 'string') return add(reasons, value)
    const message = messageOf(Array.isArray(value) ? { detail: value } : value)
    add(reasons, message)
    const [first = value] = Array.isArray(value) ? (value as unknown[]) : []
    const { error, innererror, metadata } = recordOf(first)
    for (const fields of [first, error, innererror].map(recordOf))
      for (const name of codeFields) add(codes, fields[name])
    // OpenRouter puts the words of the vendor behind it there.
    add(reasons, recordOf(metadata)['raw'])
    if (message === undefined && value !== null && typeof value === 'object') {
      const text = JSON.stringify(value)
      if (text.length > 2) add(reasons, text)
    }
  }

  function read(answered: unknown, depth: number): void {
    if (depth > maxDepth) return
    const value = unfolded(answered)
    if (isNumbers(value)) return
    if (Array.isArray(value)) return value.slice(0, 100).forEach((item) => read(item, depth + 1))
    const fields = unfoldedFields(recordOf(value))
    if (fields['thought'] === true) return
    for (const name of reasonFields) if (fields[name]) readReason(fields[name])
    for (const name of wordFields) if (isProse(fields[name])) add(words, fields[name])
    for (const name of lastFields) if (isSentence(fields[name])) add(lastWords, fields[name])
    for (const name of codeFields) add(codes, fields[name])
    for (const [name, part] of Object.entries(fields)) {
      if (isEcho.test(name)) continue
      for (const text of [part].flat().slice(0, 100)) readOther(name, text)
      if (typeof part === 'object') read(part, depth + 1)
    }
  }

  function readOther(name: string, value: unknown): void {
    if (typeof value === 'boolean') {
      if (!(value ? withheldMark : safeMark).test(name)) return
      codes.add('moderated')
      lastWords.add(`${name}: ${value}`)
    } else if (isSentence(value)) {
      if (otherReasons.test(name)) add(reasons, value)
      else if (otherWords.test(name)) add(words, value)
    }
  }

  if (isProse(answer)) add(words, answer)
  read(answer, 0)
  return { reasons: [...reasons], words: [...words], lastWords: [...lastWords], codes: [...codes] }
}

/** Whether a value is a text of several words, and no code. */
function isSentence(value: unknown): value is string {
  return isProse(value) && /\S\s+\S/.test(String(value).slice(0, 1000))
}

/** Whether a value is a text that is meant to be read, and not a link or a file in base64. */
function isProse(value: unknown): boolean {
  return typeof value === 'string' && !/^(?:data:|https?:)/i.test(value) && !/^\S{200}/.test(value)
}

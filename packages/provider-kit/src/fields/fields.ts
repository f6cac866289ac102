import * as v from 'valibot'

/**
 * A text of `minLength` to `maxLength` characters.
 * @param minLength 1 or more also refuses texts of spaces only; 0 accepts the empty text. @default 1
 */
export function textField(name: string, maxLength: number, minLength = 1) {
  const message = `${name} must be a text of ${minLength} to ${maxLength} characters.`
  const bounded = v.pipe(v.string(message), v.maxLength(maxLength, message))
  const text = minLength > 1 ? v.pipe(bounded, v.minLength(minLength, message)) : bounded
  return minLength === 0 ? text : v.pipe(text, v.regex(/\S/, message))
}

/**
 * A text that matches `pattern`.
 * @param form the accepted form in words, with an example. It completes the sentence "name must be …"
 * @param pattern a regular expression without flags, which JSON Schema does not have
 */
export function formField(name: string, form: string, pattern: RegExp) {
  const message = `${name} must be ${form}.`
  return v.pipe(
    v.string(message),
    v.regex(pattern, message),
    v.description(`${form.charAt(0).toUpperCase()}${form.slice(1)}.`),
  )
}

/** One of the given texts or numbers. */
export function choiceField<const Choices extends readonly (string | number)[]>(
  name: string,
  choices: Choices,
) {
  return v.picklist(choices, `${name} must be one of ${choices.join(', ')}.`)
}

/**
 * A number from `low` to `high`, both included.
 * @param low the smallest number. @default no limit
 * @param high the largest number. @default no limit
 */
export function numberField(name: string, low = -Infinity, high = Infinity) {
  const message = `${name} must be a number${rangeInWords(low, high)}.`
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message))
}

/**
 * A whole number from `low` to `high`, both included. It must be a safe integer in any case.
 * @param low the smallest number. @default no further limit
 * @param high the largest number. @default no further limit
 */
export function wholeNumberField(name: string, low = -Infinity, high = Infinity) {
  const message = `${name} must be a whole number${rangeInWords(low, high)}.`
  return v.pipe(
    v.number(message),
    v.safeInteger(message),
    v.minValue(low, message),
    v.maxValue(high, message),
  )
}

function rangeInWords(low: number, high: number): string {
  if (low === -Infinity) return high === Infinity ? '' : ` of at most ${high}`
  return high === Infinity ? ` of at least ${low}` : ` from ${low} to ${high}`
}

/** The field `aspect_ratio`: width and height as whole numbers of up to four digits, such as `16:9`. */
export function aspectRatioField() {
  return formField('aspect_ratio', 'width:height, such as 16:9', /^[1-9]\d{0,3}:[1-9]\d{0,3}$/)
}

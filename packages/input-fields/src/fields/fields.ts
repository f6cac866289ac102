import * as v from 'valibot'

/** A text for which `isAccepted` is true. The message has to name the field and say what it accepts. */
function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

/**
 * A text of at most `maxLength` characters.
 * @param minLength 1 also refuses texts of spaces only; 0 accepts the empty text. @default 1
 */
export function textField(name: string, maxLength: number, minLength: 0 | 1 = 1) {
  return text(
    `${name} must be a text of ${minLength} to ${maxLength} characters.`,
    (given) => given.length <= maxLength && given.trim().length >= minLength,
  )
}

/**
 * A text that matches `pattern`.
 * @param form the accepted form in words, with an example. It completes the sentence "name must be …"
 */
export function formField(name: string, form: string, pattern: RegExp) {
  return text(`${name} must be ${form}.`, (given) => pattern.test(given))
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

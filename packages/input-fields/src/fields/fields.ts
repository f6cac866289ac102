import * as v from 'valibot'

/** A text that `isAccepted`; the message is to name the field and say what that is. */
function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

/** A text that says something, or, with `minLength` 0, may say nothing. */
export function textField(name: string, maxLength: number, minLength: 0 | 1 = 1) {
  return text(
    `${name} must be a text of ${minLength} to ${maxLength} characters.`,
    (given) => given.length <= maxLength && given.trim().length >= minLength,
  )
}

/** A text in one form. @param form in words, with an example */
export function formField(name: string, form: string, pattern: RegExp) {
  return text(`${name} must be ${form}.`, (given) => pattern.test(given))
}

export function choiceField<const Choices extends readonly (string | number)[]>(
  name: string,
  choices: Choices,
) {
  return v.picklist(choices, `${name} must be one of ${choices.join(', ')}.`)
}

/** A number, where they are given from `low` to `high`, both included. */
export function numberField(name: string, low = -Infinity, high = Infinity) {
  const message = `${name} must be a number${rangeInWords(low, high)}.`
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message))
}

/** A whole number, where they are given from `low` to `high`, both included. */
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

export function aspectRatioField() {
  return formField('aspect_ratio', 'width:height, such as 16:9', /^[1-9]\d{0,3}:[1-9]\d{0,3}$/)
}

/** What each option accepts, in words, and a function that checks it. */
export type AcceptedOptions<Name extends string> = Readonly<
  Record<Name, readonly [words: string, isRight: (value: unknown) => boolean]>
>

/** The empty path, or a path such as `/media/v2`. */
const path = /^(?:\/[\w.~%@!$&'()*+=:-]+)*$/

/** Whether a value is a text. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether a value is the empty path, or a path such as `/media/v2`. */
export const isPath = (value: unknown): value is string => isText(value) && path.test(value)

/**
 * Checks the options of a page.
 * @param factory the function that takes the options, for error messages
 * @throws TypeError that names the wrong option and says what it accepts
 */
export function checkPageOptions<Name extends string>(
  factory: string,
  options: Readonly<Partial<Record<NoInfer<Name>, unknown>>>,
  accepted: AcceptedOptions<Name>,
): void {
  const names = Object.keys(accepted)
  for (const name of Object.keys(options))
    if (!names.includes(name))
      throw new TypeError(`${factory}: ${name} is not an option; the options are ${names.join(', ')}.`)
  for (const name of names as Name[]) {
    const [words, isRight] = accepted[name]
    const value = options[name]
    // The message must not show the value, which may be a key.
    if (value !== undefined && !isRight(value)) throw new TypeError(`${factory}: ${name} must be ${words}.`)
  }
}

/**
 * Whether a text is an http or https address in the spelling of the URL parser, without query, fragment, user name and
 * trailing slash.
 */
export function isAddress(text: unknown): text is string {
  if (!isText(text) || !URL.canParse(text)) return false
  const { protocol, origin, pathname, href, username } = new URL(text)
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return isHttp && username === '' && (text === origin || (text === href && path.test(pathname)))
}

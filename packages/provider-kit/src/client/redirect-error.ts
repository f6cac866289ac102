/** The vendor redirects. The client does not follow, because the credentials would be sent along. */
export class RedirectError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'RedirectError'
  /** Private, so that a log that prints the error's properties does not print the URL, which may contain secrets. */
  readonly #location: string | undefined

  constructor(vendor: string, location: string | undefined) {
    super(
      `${vendor} answered with a redirect. Redirects are not followed, because they could send credentials elsewhere.`,
    )
    this.#location = location
  }

  /** The target of the redirect, as a whole URL; `undefined` when the answer has none. */
  get location(): string | undefined {
    return this.#location
  }
}

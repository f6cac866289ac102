/** The page as it is built: HTML around the settings of the host, and the hashes of what the HTML contains. */
export interface Page {
  /** The HTML in front of the settings. */
  readonly head: string
  /** The HTML behind the settings. */
  readonly tail: string
  /** The SHA-256 of the script in base64, as a content security policy names it. */
  readonly scriptHash: string
  /** The same of the style. */
  readonly styleHash: string
}

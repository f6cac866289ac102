/** The built page: the HTML around the settings of the host, and the hashes of its script and style. */
export interface Page {
  /** The HTML before the settings. */
  readonly head: string
  /** The HTML after the settings. */
  readonly tail: string
  /** The SHA-256 of the script in base64, for the content security policy. */
  readonly scriptHash: string
  /** The SHA-256 of the style in base64, for the content security policy. */
  readonly styleHash: string
}

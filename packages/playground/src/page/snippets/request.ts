/** A request that is shown as code. It does not contain the API key, so the code can't contain the key either. */
export interface Request {
  /** The address of the service in front of `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly input: Readonly<Record<string, unknown>>
}

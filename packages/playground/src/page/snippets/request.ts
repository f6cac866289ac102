/** A request that is shown as code. The API key is no part of it, so it can't get into the code. */
export interface Request {
  /** Where the service is, in front of `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly input: Readonly<Record<string, unknown>>
}

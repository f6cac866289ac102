/** What survives `JSON.stringify` and back: the only shape in which input and provider handles are kept. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * A value that is the same after `JSON.stringify` and `JSON.parse`. Inputs and provider handles are stored as such
 * values.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  /** The value of each field. */
  readonly [key: string]: Json
}

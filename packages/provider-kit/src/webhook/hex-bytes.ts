/** The bytes of a signature in hexadecimal; `undefined` when the text does not have exactly that many. */
export function hexBytes(hex: string | undefined, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (hex?.length !== 2 * length || !/^[\da-f]*$/i.test(hex)) return undefined
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}

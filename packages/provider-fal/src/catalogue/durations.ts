/** For endpoints that expect `"8s"` for a duration of 8 seconds. */
export function inSeconds(seconds: number): { readonly duration: string } {
  return { duration: `${seconds}s` }
}

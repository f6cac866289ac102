/** An error that names the file and says why it can't be used. */
export function unusableDatabase(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`The job database ${file} can't be used: ${reason}.`, { cause })
}

/** An error that names the file and says why it can't be used. @param reason replaces the cause's message */
export function unusableDatabase(file: string, cause: unknown, reason = messageOf(cause)): Error {
  return new Error(`The job database ${file} can't be used: ${reason}.`, { cause })
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

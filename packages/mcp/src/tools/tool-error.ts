/** Why a tool can't do what it was called for. Its text is read by an agent. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

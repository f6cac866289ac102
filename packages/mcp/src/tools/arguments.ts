import { ToolError } from './tool-error.ts'

type Arguments = Readonly<Record<string, unknown>>

/** @throws ToolError when the argument is present but not a string, or too long */
export function textArgument(args: Arguments, name: string): string | undefined {
  const value = args[name] ?? undefined
  if (value === undefined || (typeof value === 'string' && value !== '' && value.length <= 255)) return value
  throw new ToolError('invalid_request', `${name} must be a text of 1 to 255 characters.`)
}

/** @throws ToolError when the argument is missing, not a string, or too long */
export function neededText(args: Arguments, name: string): string {
  const value = textArgument(args, name)
  if (value === undefined) throw new ToolError('missing_field', `${name} is missing.`)
  return value
}

/** @throws ToolError when the argument is present but not a boolean */
export function flagArgument(args: Arguments, name: string, byDefault: boolean): boolean {
  const value = args[name] ?? byDefault
  if (typeof value === 'boolean') return value
  throw new ToolError('invalid_request', `${name} must be true or false.`)
}

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

/**
 * Refuses each argument that is not one of these. Without this, an agent that has read hostile instructions could pass
 * the service fields of its own that no tool describes.
 * @param whose the tool or the model, for the message
 * @throws ToolError that names the first such argument
 */
export function refuseOtherArguments(whose: string, args: Arguments, names: readonly string[]): void {
  const other = Object.keys(args).find((name) => !names.includes(name))
  if (other !== undefined) throw notTaken(whose, other, `It takes ${names.join(', ')}.`)
}

/** The refusal of an argument that the tool or the model does not take. */
export function notTaken(whose: string, name: string, instead: string): ToolError {
  return new ToolError('invalid_request', `${whose} takes no argument ${name.slice(0, 100)}. ${instead}`)
}

import { type Check, checkObject, type JsonObject } from '@genmount/core'

/**
 * Makes the check of an option with the parameters that an operator fixes for all jobs of a model.
 * @param such an example of the option, for error messages
 * @param reserved the vendor's parameters that each job decides itself. @default none
 * @returns a check that throws a TypeError when the option fixes one of them. @default {}
 * @example const table = { providerOptions: fixedParameters("{ moderation: 'low' }", ['prompt', 'n']) }
 */
export function fixedParameters(such: string, reserved: readonly string[] = []): Check<JsonObject> {
  return (name, parameters = {}) => {
    const fixed = checkObject(name, parameters, ` such as ${such}`)
    const ours = Object.keys(fixed).find((parameter) => reserved.includes(parameter))
    if (ours === undefined) return fixed as JsonObject
    throw new TypeError(`${name} can't fix ${ours}, which each job decides itself.`)
  }
}

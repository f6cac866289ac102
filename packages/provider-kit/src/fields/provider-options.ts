import type { JsonObject } from '@genmount/core'
import * as v from 'valibot'

/**
 * The vendor's own parameters that clients may set in `provider_options`: `'off'` for none, or a list of names. The
 * name `tools` allows everything inside the object `tools`. The name `tools.search` allows only that part of it.
 */
export type AllowedOptions = 'off' | readonly string[]

/** The option of a model that says which of the vendor's own parameters clients may set. */
export interface ProviderOptionsAllowance {
  /**
   * The names of the vendor's own parameters that clients may set in `provider_options`. Every client may then set
   * them. So think twice about parameters that change the number of outputs, the price, the vendor's content filter, or
   * the number of requests to the vendor.
   * @default 'off', which refuses `provider_options`
   * @example ['guidance_scale', 'camera.pan']
   */
  readonly allowedProviderOptions?: AllowedOptions | undefined
}

/** The `provider_options` of a model, as `checkAllowedOptions` returns them. */
export interface ProviderOptionsRule {
  /** The names that clients may set. A dot separates the levels of an object. */
  readonly allowed: readonly string[]
  /**
   * The names that the interface's own fields set. They are refused, because they would bypass the limits of those
   * fields.
   */
  readonly own: readonly string[]
}

const maxLength = 65_536

/**
 * Checks the option `allowedProviderOptions` of a model.
 * @param name the option's name, for error messages
 * @param allowance the option. @default 'off'
 * @param own the vendor's parameters that the interface's own fields set. @default none
 * @throws TypeError that names the option, when it is neither 'off' nor a list of names, or allows a name of `own`
 */
export function checkAllowedOptions(
  name: string,
  allowance: unknown = 'off',
  own: readonly string[] = [],
): ProviderOptionsRule {
  const allowed: unknown = allowance === 'off' ? [] : allowance
  const isPath = (path: unknown) => typeof path === 'string' && /^[\w-]+(?:\.[\w-]+)*$/.test(path)
  if (!Array.isArray(allowed) || !allowed.every(isPath))
    throw new TypeError(`${name} must be 'off' or a list of names such as guidance_scale or camera.pan.`)
  const ours = allowed.find((path) => own.some((field) => `${path}.`.startsWith(`${field}.`)))
  if (ours !== undefined)
    throw new TypeError(
      `${name} can't allow ${ours}, because an input field of this model sets it, and its limits would be bypassed.`,
    )
  return { allowed, own }
}

/**
 * The field `provider_options`: an object with parameters that the rule allows, which goes to the vendor unchanged. It
 * may have at most 65536 characters of JSON.
 */
export function providerOptionsField(rule: ProviderOptionsRule) {
  return v.pipe(
    v.custom<JsonObject>(
      (allowance) => faultIn(allowance, rule) === undefined,
      ({ input }) => faultIn(input, rule) ?? '',
    ),
    v.metadata(toldOf(rule)),
  )
}

/** The JSON Schema of the field. `not: {}` accepts nothing. */
function toldOf({ allowed }: ProviderOptionsRule): Readonly<Record<string, unknown>> {
  if (allowed.length === 0) return { not: {}, description: 'Not accepted by this model.' }
  const description = `The vendor's own parameters that this model accepts: ${allowed.join(', ')}.`
  return { type: 'object', description }
}

function faultIn(allowance: unknown, rule: ProviderOptionsRule): string | undefined {
  if (rule.allowed.length === 0)
    return "provider_options is off for this model. The operator of this service can allow names in the model's allowedProviderOptions."
  if (!isObject(allowance)) return 'provider_options must be an object.'
  const name = refusedName(allowance, rule)
  if (name !== undefined && rule.own.includes(name))
    return `provider_options can't set ${name}: this model has a field of its own for that, or fixes it.`
  if (name !== undefined)
    return `provider_options can't set ${name} with this model. The operator of this service can allow it in the model's allowedProviderOptions.`
  if (JSON.stringify(allowance).length > maxLength)
    return `provider_options must have at most ${maxLength} characters of JSON.`
  return undefined
}

/** The first name that is not allowed. The search goes no deeper into objects than the names of the rule do. */
function refusedName(
  allowance: object,
  { allowed, own }: ProviderOptionsRule,
  inside = '',
  isAllowedWhole = false,
): string | undefined {
  for (const [key, value] of Object.entries(allowance)) {
    const name = `${inside}${key}`
    if (own.includes(name)) return name
    const isAllowed = isAllowedWhole || allowed.includes(name)
    const hasParts = (names: readonly string[]) => names.some((path) => path.startsWith(`${name}.`))
    const isToBeEntered = isObject(value) && (hasParts(own) || (!isAllowed && hasParts(allowed)))
    const refused = isToBeEntered
      ? refusedName(value, { allowed, own }, `${name}.`, isAllowed)
      : isAllowed
        ? undefined
        : name
    if (refused !== undefined) return refused
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { JsonObject } from '@genmount/core'
import * as v from 'valibot'

/**
 * Which of the vendor's own parameters clients may set in `provider_options`: none, or those that are named. `tools` allows
 * whatever is in `tools`, `tools.search` that part of it alone.
 */
export type AllowedOptions = 'off' | readonly string[]

/** Goes into the options of a model. */
export interface ProviderOptionsAllowance {
  /**
   * Which parameters of the vendor's own clients may set in `provider_options`, by their names. Name none that changes how
   * many outputs there are, what they cost, what is let through or how often the vendor is asked, unless every client may
   * decide that. @default 'off': `provider_options` are refused
   * @example ['guidance_scale', 'camera.pan']
   */
  readonly allowedProviderOptions?: AllowedOptions | undefined
}

export interface ProviderOptionsRule {
  readonly allowed: readonly string[]
  /** What the interface's own fields set: refused, because their bounds would be passed by. */
  readonly own: readonly string[]
}

const maxLength = 65_536

/** @throws TypeError that names the option */
export function checkAllowedOptions(
  name: string,
  given: AllowedOptions = 'off',
  own: readonly string[] = [],
): ProviderOptionsRule {
  const allowed: readonly unknown[] | string = given === 'off' ? [] : given
  const isPath = (path: unknown) => typeof path === 'string' && /^[\w-]+(?:\.[\w-]+)*$/.test(path)
  if (!Array.isArray(allowed) || !allowed.every(isPath))
    throw new TypeError(`${name} must be 'off' or a list of names such as guidance_scale or camera.pan.`)
  const ours = allowed.find((path) => own.some((field) => `${path}.`.startsWith(`${field}.`)))
  if (ours !== undefined)
    throw new TypeError(
      `${name} can't allow ${ours}: it is set by a field of its own, whose bounds would not hold.`,
    )
  return { allowed, own }
}

/** An object of what the rule allows, passed on to the vendor as it is: at most 65536 characters of JSON. */
export function providerOptionsField(rule: ProviderOptionsRule) {
  return v.custom<JsonObject>(
    (given) => faultIn(given, rule) === undefined,
    ({ input }) => faultIn(input, rule) ?? '',
  )
}

function faultIn(given: unknown, rule: ProviderOptionsRule): string | undefined {
  if (rule.allowed.length === 0)
    return "provider_options is off for this model. The operator of this service can allow names in the model's allowedProviderOptions."
  if (!isObject(given)) return 'provider_options must be an object.'
  const name = refusedName(given, rule)
  if (name !== undefined && rule.own.includes(name))
    return `provider_options can't set ${name}: this model has a field of its own for that, or fixes it.`
  if (name !== undefined)
    return `provider_options can't set ${name} with this model. The operator of this service can allow it in the model's allowedProviderOptions.`
  if (JSON.stringify(given).length > maxLength)
    return `provider_options must have at most ${maxLength} characters of JSON.`
  return undefined
}

/** The first name that is not allowed. Goes no deeper than the names of the rule do. */
function refusedName(
  given: object,
  { allowed, own }: ProviderOptionsRule,
  inside = '',
  isAllowedWhole = false,
): string | undefined {
  for (const [key, value] of Object.entries(given)) {
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

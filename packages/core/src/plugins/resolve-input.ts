import type { Clock } from '../contracts/clock.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { PluginHooks, ResolvedInput } from '../contracts/service-plugin.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import { checkInput, checkResolved } from './check-answers.ts'

/** How long a plugin may take to resolve the references of an input, in milliseconds. See `admit` for the reason. */
const resolveLimitMs = 60_000

/** See `PluginHooks.resolveInput`. @returns `undefined` when no plugin replaces anything */
export type InputResolver = (
  owner: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<ResolvedInput> | undefined

/** A plugin that resolves references in inputs. */
interface Resolving {
  readonly name: string
  readonly call: NonNullable<PluginHooks['resolveInput']>
}

/** Makes the calls of the plugins that resolve inputs: each gets what the one before has made. */
export function inputResolver(plugins: readonly Resolving[], clock: Clock): InputResolver {
  /** @returns `undefined` when the plugin has nothing to replace */
  function resolvedBy(
    { name, call }: Resolving,
    owner: string,
    input: JsonObject,
  ): Promise<ResolvedInput | undefined> | undefined {
    const resolving = call(owner, input)
    if (resolving === undefined) return undefined
    const what = `resolveInput of the plugin ${name}`
    return withinLimit(clock, resolveLimitMs, what, () => resolving).then((answer) => {
      const resolved = checkResolved(`The result of ${what}`, answer)
      return resolved && { ...resolved, restored: checkedBy(name, resolved.restored) }
    })
  }

  return (owner, input) => {
    if (plugins.length === 0) return undefined
    let resolved: Promise<ResolvedInput> | undefined
    const copy = jsonCopy(input) as JsonObject
    for (const plugin of plugins) {
      const earlier = resolved
      if (earlier)
        resolved = earlier.then(async (before) => {
          const later = await resolvedBy(plugin, owner, before.input)
          return later ? both(before, later) : before
        })
      else resolved = resolvedBy(plugin, owner, copy)?.then((later) => later ?? unchanged(copy))
    }
    return resolved
  }
}

function checkedBy(name: string, restored: ResolvedInput['restored']): ResolvedInput['restored'] {
  return (validated) => checkInput(`The result of restored of the plugin ${name}`, restored(validated))
}

function unchanged(input: JsonObject): ResolvedInput {
  return { input, restored: (validated) => validated, mustLiveUntil() {} }
}

function both(earlier: ResolvedInput, later: ResolvedInput): ResolvedInput {
  const { restored: first } = earlier
  const { restored: second } = later
  return {
    input: later.input,
    restored: (validated) => first(second(validated)),
    mustLiveUntil: eachLife(earlier.mustLiveUntil, later.mustLiveUntil),
  }
}

/** A function of its own, because a closure that is made in `both` would keep the inputs in memory. */
function eachLife(
  first: ResolvedInput['mustLiveUntil'],
  second: ResolvedInput['mustLiveUntil'],
): ResolvedInput['mustLiveUntil'] {
  return (deadlineAt) => {
    first(deadlineAt)
    second(deadlineAt)
  }
}

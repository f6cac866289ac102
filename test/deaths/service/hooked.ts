import type { FileFetch, FileStore, JobStore, Provider } from '@genmount/core'

interface Hook<Args extends unknown[], Result> {
  /** Runs before the call. If it returns something, that is the result, and the call is not made. */
  readonly before?: (...args: Args) => Result | Promise<Result> | void
  /** Runs after the call. If it returns something, that takes the place of the result. */
  readonly after?: (result: Result, ...args: Args) => Result | Promise<Result> | void
}

type Hooks<Part> = {
  readonly [Method in keyof Part]?: NonNullable<Part[Method]> extends (
    ...args: infer Args
  ) => Promise<infer Result>
    ? Hook<Args, Result>
    : never
}

export type CopyingFiles = FileStore & { readonly fetch: FileFetch }

/** What happens around the calls that a service makes to its parts. */
export interface PartHooks {
  readonly jobs?: Hooks<JobStore>
  readonly provider?: Hooks<Provider>
  readonly files?: Hooks<CopyingFiles>
}

type Call = (...args: unknown[]) => Promise<unknown>

/** The same part with hooks around its calls. Optional methods that the part lacks stay away. */
export function hooked<Part extends object>(part: Part, hooks: Hooks<Part> = {}): Part {
  const calls = Object.entries(hooks as Record<string, Hook<unknown[], unknown>>).flatMap(([name, hook]) => {
    const call = part[name as keyof Part] as Call | undefined
    if (!call) return []
    const withHook: Call = async (...args) => {
      const instead = await hook.before?.(...args)
      if (instead !== undefined) return instead
      const result = await call(...args)
      return (await hook.after?.(result, ...args)) ?? result
    }
    return [[name, withHook] as const]
  })
  return { ...part, ...Object.fromEntries(calls) }
}

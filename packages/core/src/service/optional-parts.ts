import type { Log } from '../contracts/log.ts'

/**
 * Calls `use` with a part that may still be loading: at once if the part is loaded, otherwise as soon as it is. The
 * promise rejects if the part can't be loaded. A caller who does not need the result may ignore the promise.
 */
export type WhenLoaded<Part> = <Result>(use: (part: Part) => Result) => Result | Promise<Awaited<Result>>

/** Makes a part from the code of all options. */
type MakePart<Part> = (code: typeof import('./optional-code.ts')) => Part | Promise<Part>

/** The parts of a service whose code is loaded only if an option needs it. */
export interface OptionalParts {
  /**
   * Begins to load the code of an option. This happens when the service is made, and not at the first use of the part,
   * because a deployment may replace the files of a running process in the meantime.
   */
  load<Part>(option: string, make: MakePart<Part>): WhenLoaded<Part>
  /** Resolves when all parts are loaded. Rejects when one can't be loaded. */
  ready(): Promise<void>
}

/** Makes the list of a service's optional parts. The log gets an error for each part that can't be loaded. */
export function optionalParts(log: Log): OptionalParts {
  const loads: Promise<unknown>[] = []

  return {
    load<Part>(option: string, make: MakePart<Part>) {
      let part: Part | undefined
      const loading = import('./optional-code.ts').then(make).then(
        (made) => (part = made),
        (cause: unknown) => {
          const message = `The code of the option ${option} could not be loaded.`
          log.error(message, { cause })
          throw new Error(message, { cause })
        },
      )
      loading.catch(() => {})
      loads.push(loading)
      return <Result>(use: (part: Part) => Result) => {
        if (part) return use(part)
        const used = loading.then(use) as Promise<Awaited<Result>>
        used.catch(() => {})
        return used
      }
    },
    ready: async () => void (await Promise.all(loads)),
  }
}

/**
 * The promises of a contract: a case for each promise, by its name. Each case makes a new subject, and
 * rejects when the subject breaks the promise. With the context that vitest or `node:test` passes, a case about a function
 * that the subject lacks is reported as skipped. Without one, it passes.
 */
export type Suite = Readonly<Record<string, (context?: unknown) => Promise<void>>>

/** What a suite tests. Each suite extends it by the thing itself. */
export interface Subject {
  /**
   * Frees what the subject holds, such as files. Called after each case, also after a case that has failed.
   */
  readonly close?: () => unknown
}

/** What test runners that can skip a test from within pass to it. */
interface SkippingContext {
  skip?(reason: string): unknown
}

/** A case of a suite. It resolves with a text if it could not be tested: why. */
export type Case<S> = (subject: S) => Promise<string | void>

/** Makes a suite of cases. Each case gets a new subject, which is closed afterwards. */
export function suiteOf<S extends Subject>(
  create: () => S | Promise<S>,
  cases: Readonly<Record<string, Case<S>>>,
): Suite {
  // Bun passes a callback to tests that declare a parameter, and waits until it is called.
  const bind =
    (run: Case<S>) =>
    async (...[context]: [context?: unknown]) => {
      const subject = await create()
      let reason: string | void
      try {
        reason = await run(subject)
      } finally {
        await subject.close?.()
      }
      // vitest ends the test by an error of its own, so nothing may follow.
      if (reason) (context as SkippingContext | undefined)?.skip?.(reason)
    }
  return Object.fromEntries(Object.entries(cases).map(([name, run]) => [name, bind(run)]))
}

/**
 * Runs a whole suite. It serves to test the suite itself. @returns the names of the cases that fail, in order
 */
export async function failingCases(suite: Suite): Promise<string[]> {
  const failing: string[] = []
  for (const [name, run] of Object.entries(suite)) {
    await run().catch(() => failing.push(name))
  }
  return failing
}

/**
 * The promises of a contract: a case for each promise, by its name. Each case makes a new subject, and
 * rejects when the subject breaks the promise.
 */
export type Suite = Readonly<Record<string, () => Promise<void>>>

/** What a suite tests. Each suite extends it by the thing itself. */
export interface Subject {
  /**
   * Frees what the subject holds, such as files. Called after each case, also after a case that has failed.
   */
  readonly close?: () => unknown
}

/** Makes a suite of cases. Each case gets a new subject, which is closed afterwards. */
export function suiteOf<S extends Subject>(
  create: () => S | Promise<S>,
  cases: Readonly<Record<string, (subject: S) => Promise<void>>>,
): Suite {
  const bind = (run: (subject: S) => Promise<void>) => async () => {
    const subject = await create()
    try {
      await run(subject)
    } finally {
      await subject.close?.()
    }
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

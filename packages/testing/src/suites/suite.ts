/** A contract's promises by name. Each case runs on a subject of its own and rejects when the promise is broken. */
export type Suite = Readonly<Record<string, () => Promise<void>>>

/** What a suite runs on, beside the thing itself. */
export interface Subject {
  /** Frees what the subject holds. Called after each case, also after one that failed. */
  readonly close?: () => unknown
}

/** Gives every case a fresh subject and closes it afterwards. */
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

/** Runs a whole suite and returns the names of the cases that fail, in order. For testing a suite. */
export async function failingCases(suite: Suite): Promise<string[]> {
  const failing: string[] = []
  for (const [name, run] of Object.entries(suite)) {
    await run().catch(() => failing.push(name))
  }
  return failing
}

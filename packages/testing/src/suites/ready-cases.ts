import assert from 'node:assert/strict'

interface Part {
  ready?(): Promise<void>
}

/**
 * The promises of `ready`, which several contracts have.
 * @param what the name of the part, with its article
 * @param partOf finds the part of a subject
 */
export function readyCases<S extends { readonly unusable?: () => Part | Promise<Part> }>(
  what: string,
  partOf: (subject: S) => Part,
): Readonly<Record<string, (subject: S) => Promise<void>>> {
  return {
    [`${what} is ready before its first use, and when it is asked again`]: async (subject) => {
      const part = partOf(subject)
      await part.ready?.()
      await Promise.all([part.ready?.(), part.ready?.()])
    },

    [`${what} that can not be used says so before its first use, in words`]: async ({ unusable }) => {
      const part = await unusable?.()
      if (!part) return
      assert.ok(part.ready, 'it can not be asked whether it is ready')
      const fault: unknown = await part.ready().then(
        () => assert.fail('it says that it is ready'),
        (error: unknown) => error,
      )
      assert.ok(fault instanceof Error, 'it rejects with something that is no Error')
      assert.match(fault.message, /\w \w/, 'its error has no words')
    },
  }
}

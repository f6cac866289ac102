import { GenmountError } from '@genmount/client'

/** These run where there is no assert of Node. @throws Error with the message, when it is not so */
export function check(isSo: unknown, message: string): asserts isSo {
  if (!isSo) throw new Error(message)
}

/** @throws Error when the two are not the same JSON */
export function checkEqual(actual: unknown, expected: unknown): void {
  const [has, wants] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(has === wants, `${has} should be ${wants}`)
}

/** @returns the error of the client with which the call ends. @throws Error when it ends otherwise */
export async function thrownBy(call: Promise<unknown>): Promise<GenmountError> {
  const end = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in end && end.error instanceof GenmountError) return end.error
  throw new Error(`It should throw a GenmountError: ${JSON.stringify(end)}`, {
    cause: 'error' in end ? end.error : undefined,
  })
}

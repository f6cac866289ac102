import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import type { Model } from '../contracts/provider.ts'
import { validateInput } from './validate-input.ts'

/** A schema that finds `issue` in every input. */
function finding(issue: unknown) {
  const validate = () => ({ issues: [issue as StandardSchemaV1.Issue] })
  return {
    id: 'm',
    outputKind: 'image',
    input: { '~standard': { version: 1, vendor: 'test', validate } },
  } as const
}

const validated = async (model: Model) => validateInput(model, {})

test.each([
  [{ message: 'No.', path: [Symbol('field')] }, 'Symbol(field)'],
  [{ message: 'No.', path: [{ key: Symbol('field') }, 0] }, 'Symbol(field).0'],
  [{ message: 'No.', path: [null, 0] }, 'undefined.0'],
  [{ message: 'No.', path: [] }, 'input'],
  [{ message: 'No.' }, 'input'],
])('a schema issue with an odd path is still a 400: %o', async (issue, param) => {
  await expect(validated(finding(issue))).rejects.toMatchObject({
    name: 'GenerationError',
    param,
  })
})

test('an error about an input echoes only the beginning of what the client sent', async () => {
  const huge = 'x'.repeat(1_000_000)
  const error = await validated(finding({ message: `Received ${huge}`, path: [huge] })).catch(
    (e: unknown) => e,
  )
  expect(JSON.stringify(error).length).toBeLessThan(2500)
  expect((error as Error).message.length).toBeLessThan(2500)
})

import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { SuiteClient } from './suite-client.ts'

/** Fails if the path is not one that needs a key, and that serves GET, HEAD and OPTIONS and nothing else. */
export async function expectReadPath(client: SuiteClient, path: string): Promise<void> {
  expectError(await client.send({ path, as: 'nobody' }), 'missing_api_key')
  const headers = [['Authorization', 'Bearer not-a-key']] as const
  expectError(await client.send({ path, as: 'nobody', headers }), 'invalid_api_key')

  const [get, head] = [await client.send({ path }), await client.send({ path, method: 'HEAD' })]
  assert.equal(get.status, 200, get.text)
  assert.match(get.headers.get('content-type') ?? '', /^application\/json\b/)
  assert.equal(head.status, 200)
  assert.equal(head.body.length, 0)
  const length = head.headers.get('content-length')
  if (length !== undefined) assert.equal(length, String(get.body.length))

  const options = await client.send({ path, method: 'OPTIONS' })
  assert.equal(options.status, 204)
  assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    expectError(await client.send({ path, method }), 'method_not_allowed')
}

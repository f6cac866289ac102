import assert from 'node:assert/strict'
import { expectError, expectOneOf, isRuntimeRefusal } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, quick } from './suite-jobs.ts'

/** Fails if the reply is not a 404 of the service or of the app around it, nor a refusal of the runtime. */
function expectNothing(client: SuiteClient, reply: Reply | undefined, path: string): void {
  if (isRuntimeRefusal(reply) && reply?.status !== 404) return
  assert.equal(reply?.status, 404, `${path}: ${reply?.head}`)
  if (reply.text !== client.subject.foreignBody) expectOneOf(reply, ['job_not_found', 'route_not_found'])
}

/**
 * Fails if the reply is neither the job nor a 404. For paths that some hosts normalise before the service
 * sees them.
 */
function expectJobOrNothing(client: SuiteClient, reply: Reply | undefined, id: string, path: string): void {
  if (reply?.status === 200) assert.equal(expectJob(reply, 200, client).id, id, path)
  else expectNothing(client, reply, path)
}

export const pathCases: Cases = {
  'ids that no job has are 404, whatever their spelling': async (client) => {
    const ids = [
      'x',
      '0',
      '-1',
      '__proto__',
      'constructor',
      '%00',
      '%E0%A4%A',
      '%',
      '%zz',
      '%ff',
      '%20',
      '..%2f..%2fetc',
    ]
    for (const id of [
      ...ids,
      '*',
      "'",
      '%22%3E%3Cscript%3E',
      '\u{e9}',
      'x'.repeat(4000),
      '%F0%9F%8F%97',
      'a%0d%0aX-Evil:%201',
    ])
      for (const kind of ['jobs', 'files']) {
        const reply = await client.attempt({ path: `/v1/${kind}/${id}` })
        expectNothing(client, reply, id)
        assert.equal(reply?.headers.has('x-evil') ?? false, false)
      }
  },

  'an empty id is 404': async (client) => {
    for (const path of ['/v1/jobs/', '/v1/files/', '/v1/outputs/'])
      expectOneOf(await client.send({ path }), ['route_not_found', 'job_not_found', 'file_not_found'])
  },

  'doubled slashes do not lead to a job': async (client) => {
    const { id } = await client.create(endless)
    for (const path of [
      `//v1//jobs/${id}`,
      `/v1//jobs/${id}`,
      `/v1/jobs//${id}`,
      `//v1/jobs/${id}`,
      `///v1/jobs/${id}`,
    ])
      expectNothing(client, await client.attempt({ path }), path)
  },

  'encoded slashes do not lead to a job': async (client) => {
    const { id } = await client.create(endless)
    for (const path of [
      `/v1%2fjobs/${id}`,
      `/v1/jobs%2F${id}`,
      `%2fv1/jobs/${id}`,
      `/v1/jobs/x%2f..%2f${id}`,
    ])
      expectNothing(client, await client.attempt({ path }), path)
  },

  'dot segments are resolved as in a URL, or answered with 404, and never bypass the key': async (client) => {
    const { id } = await client.create(endless)
    const dotted = [
      `/v1/../v1/jobs/${id}`,
      `/v1/%2e%2e/v1/jobs/${id}`,
      `/v1/jobs/./${id}`,
      `/v1/jobs/x/../${id}`,
      `/v1/jobs/x/%2E%2e/${id}`,
      `/elsewhere/../v1/jobs/${id}`,
    ]
    for (const path of dotted) {
      expectJobOrNothing(client, await client.attempt({ path }), id, path)
      const nobody = await client.attempt({ path, as: 'nobody' })
      assert(nobody === undefined || nobody.status >= 400, path)
      const bob = await client.attempt({ path, as: 'bob' })
      expectNothing(client, bob, path)
    }
  },

  'a path that climbs above the root finds nothing and shows nothing': async (client) => {
    for (const path of [
      '/v1/../../etc/passwd',
      '/..',
      '/v1/jobs/../../../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
    ]) {
      const reply = await client.attempt({ path })
      expectNothing(client, reply, path)
      assert.doesNotMatch(reply?.text ?? '', /root:/)
    }
  },

  'backslashes, fragments, bytes beyond ASCII and control characters never break the server': async (
    client,
  ) => {
    const { id } = await client.create(endless)
    for (const path of [
      `/v1\\jobs\\${id}`,
      `/v1/jobs/${id}#x`,
      `/v1/jobs/\xff`,
      '/v1/jobs/\x01',
      '/v1/jobs/a b',
      `/v1/jobs/${id};x=1`,
    ])
      expectJobOrNothing(client, await client.attempt({ path }), id, path)
  },

  'an empty query and an empty fragment of it change nothing': async (client) => {
    const { id } = await client.create(endless)
    for (const query of ['?', '?&', '?&&=', '?unknown=%zz', '?%00', '?n=1'])
      assert.equal(expectJob(await client.send({ path: `/v1/jobs/${id}${query}` }), 200, client).id, id)
  },

  'a request line in absolute form finds the job or nothing, and puts no other host into our URLs': async (
    client,
  ) => {
    const { id } = await client.create(endless)
    const { mountPath } = client
    for (const authority of [new URL(client.subject.baseUrl).host, 'evil.example', 'evil.example:8080']) {
      const path = `http://${authority}${mountPath}/v1/jobs/${id}`
      expectJobOrNothing(client, await client.attempt({ path }), id, path)
    }
  },

  'a request line in absolute form creates jobs and redirects like any other, or finds nothing': async (
    client,
  ) => {
    const { mountPath } = client
    const path = `http://evil.example${mountPath}/v1/generate?wait=true`
    const created = await client.attempt({ path, body: quick })
    if (created === undefined || created.status === 404) return expectNothing(client, created, path)
    const { id } = expectJob(created, 200, client)
    assert.equal(
      new URL(created.headers.get('location') ?? '', client.url('/')).href,
      client.url(`/v1/jobs/${id}`),
    )
    const redirect = await client.send({ path: `http://evil.example${mountPath}/v1/files/${id}` })
    assert.equal((await client.follow(redirect.headers.get('location') ?? '', { as: 'nobody' })).status, 200)
  },

  'an absolute form that is no URL is refused or found nowhere': async (client) => {
    const { mountPath } = client
    for (const start of [
      'http://evil.example:99999',
      'http://',
      'http://[::1',
      'https://user:password@evil.example',
      'http:',
    ])
      for (const as of ['alice', 'nobody'] as const) {
        const reply = await client.attempt({ path: `${start}${mountPath}/v1/jobs/x`, as })
        assert(reply === undefined || reply.status >= 400, start)
      }
  },

  'an absolute form without a key is 401, or finds nothing': async (client) => {
    const { mountPath } = client
    const path = `http://evil.example${mountPath}/v1/jobs/x`
    const reply = await client.attempt({ path, as: 'nobody' })
    if (reply?.status === 404) expectNothing(client, reply, path)
    else expectError(reply, 'missing_api_key')
  },

  'slashes at the end are the same endpoint or none, for every owner alike': async (client) => {
    const { id } = await client.create(endless)
    for (const path of [`/v1/jobs/${id}/`, `/v1/jobs/${id}//`]) {
      expectJobOrNothing(client, await client.send({ path }), id, path)
      expectNothing(client, await client.send({ path, as: 'bob' }), path)
    }
  },
}

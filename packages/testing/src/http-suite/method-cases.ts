import assert from 'node:assert/strict'
import { expectError, isRuntimeRefusal } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import type { Cases } from './suite-client.ts'
import { endless, failing, quick } from './suite-jobs.ts'

const creates = ['/v1/generate', '/v1/video/generations', '/v1/images/generations']
const reads = ['/v1/jobs/some-job', '/v1/files/some-job']

/**
 * The methods in the Allow header, sorted, without OPTIONS and DELETE. A server may add DELETE to the path of a job.
 */
function allowed(reply: Reply): string[] {
  const methods = (reply.headers.get('allow') ?? '').split(',').map((method) => method.trim())
  return methods.filter((method) => method !== 'OPTIONS' && method !== 'DELETE').toSorted()
}

function withoutVolatile(reply: Reply): string[] {
  const volatile = /^(HTTP\/|x-request-id:|date:|connection:|keep-alive:|transfer-encoding:|content-length:)/i
  return reply.head
    .toLowerCase()
    .split('\r\n')
    .filter((line) => !volatile.test(line))
    .toSorted()
}

export const methodCases: Cases = {
  'OPTIONS is 204 and lists what is allowed': async (client) => {
    for (const path of creates) {
      const reply = await client.send({ method: 'OPTIONS', path })
      assert.equal(reply.status, 204)
      assert.deepEqual(allowed(reply), ['POST'])
    }
    for (const path of reads) {
      const reply = await client.send({ method: 'OPTIONS', path })
      assert.equal(reply.status, 204)
      assert.deepEqual(allowed(reply), ['GET', 'HEAD'])
    }
  },

  'a method that an endpoint does not serve is 405 with what it does': async (client) => {
    for (const path of creates)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        const reply = await client.send({ method, path })
        expectError(reply, 'method_not_allowed')
        assert.deepEqual(allowed(reply), ['POST'])
      }
    for (const path of reads)
      for (const method of ['POST', 'PUT', 'PATCH', 'PROPFIND']) {
        const reply = await client.send({ method, path })
        expectError(reply, 'method_not_allowed')
        assert.deepEqual(allowed(reply), ['GET', 'HEAD'])
      }
  },

  'HEAD of a create endpoint is 405 without a body': async (client) => {
    for (const path of creates) {
      const reply = await client.send({ method: 'HEAD', path })
      assert.equal(reply.status, 405)
      assert.deepEqual(allowed(reply), ['POST'])
    }
  },

  'HEAD of a job and of a file is GET without the body': async (client) => {
    const jobs = [
      await client.create(endless),
      await client.createAndWait(quick),
      await client.createAndWait(failing),
    ]
    const paths = jobs.flatMap(({ id }) => [`/v1/jobs/${id}`, `/v1/files/${id}`])
    for (const path of [...paths, '/v1/jobs/no-such-job', '/v1/nothing']) {
      const [get, head] = [await client.send({ path }), await client.send({ method: 'HEAD', path })]
      assert.equal(head.status, get.status, path)
      if (get.status !== 302) assert.deepEqual(withoutVolatile(head), withoutVolatile(get))
      const length = head.headers.get('content-length')
      if (length !== undefined && get.status !== 302) assert.equal(length, String(get.body.length))
    }
  },

  'HEAD sends no body, so that the connection can go on': async (client) => {
    const { id } = await client.create(endless)
    const connection = client.open()
    connection.write(client.bytes({ method: 'HEAD', path: '/v1/jobs/no-such-job', closes: false }).head)
    assert.equal((await connection.next({ head: true }))?.status, 404)
    connection.write(client.bytes({ path: `/v1/jobs/${id}` }).head)
    const reply = await connection.next()
    if (reply) assert.equal(expectJob(reply, 200, client).id, id)
    else assert.fail('the connection was closed after a HEAD')
    connection.destroy()
  },

  'HEAD asks for the key like GET': async (client) => {
    const reply = await client.send({ method: 'HEAD', path: '/v1/jobs/x', as: 'nobody' })
    assert.equal(reply.status, 401)
    assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer\b/)
  },

  'a path under /v1 that does not exist is 404 route_not_found, whatever the method': async (client) => {
    const paths = [
      '/v1',
      '/v1/',
      '/v1?x',
      '/v1/nothing',
      '/v1/files',
      '/v1/video',
      '/v1/generations',
      '/v1/jobs/a/b',
      '/v1/files/a/b',
    ]
    for (const path of [
      ...paths,
      '/v1/Generate',
      '/v1/generatex',
      '/v1/generate/x',
      '/v1/toString',
      '/v1/__proto__',
    ])
      expectError(await client.send({ path }), 'route_not_found')
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'POST'])
      expectError(await client.send({ method, path: '/v1/nothing' }), 'route_not_found')
  },

  'paths outside /v1 are not ours': async (client) => {
    for (const path of [
      '/',
      '/v2/generate',
      '/v10/jobs/x',
      '/v1x',
      '/V1/jobs/x',
      '/health',
      '/x/v1/jobs/x',
    ]) {
      const reply = await client.attempt({ path })
      assert.equal(reply?.status, 404, path)
      if (client.subject.foreignBody === undefined) expectError(reply, 'route_not_found')
      else assert.equal(reply.text, client.subject.foreignBody)
    }
  },

  'a method that HTTP does not know, or in small letters, is refused': async (client) => {
    const { id } = await client.create(endless)
    for (const method of ['BREW', 'TRACE', 'get', 'Get', 'G'.repeat(300), 'G=T']) {
      const reply = await client.attempt({ method, path: `/v1/jobs/${id}` })
      if (!isRuntimeRefusal(reply)) expectError(reply, 'method_not_allowed')
    }
  },

  'a method that does not fit is refused without its body being read': async (client) => {
    const connection = client.open()
    const headers = [['Content-Length', '100000']] as const
    connection.write(
      client.bytes({ method: 'PUT', path: '/v1/generate', contentType: 'text/plain', headers }).head,
    )
    expectError(await connection.next(), 'method_not_allowed')
    connection.destroy()
  },
}

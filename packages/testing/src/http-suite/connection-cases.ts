import assert from 'node:assert/strict'
import { expectError, isRuntimeRefusal } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Cases } from './suite-client.ts'
import { endless, quick } from './suite-jobs.ts'

export const connectionCases: Cases = {
  'one connection serves request after request': async (client) => {
    const connection = client.open()
    const { head, body } = client.bytes({ path: '/v1/generate', body: endless, closes: false })
    for (let round = 0; round < 3; round++) {
      connection.write(Buffer.concat([head, body]))
      const created = await connection.next()
      assert(created)
      const { id } = expectJob(created, 202, client)
      connection.write(client.bytes({ path: `/v1/jobs/${id}`, closes: false }).head)
      const polled = await connection.next()
      assert(polled)
      assert.equal(expectJob(polled, 200, client).id, id)
    }
    connection.destroy()
  },

  'pipelined requests are answered in their order': async (client) => {
    const [first, second] = [await client.create(endless), await client.create(endless)]
    const connection = client.open()
    const requests = [
      client.bytes({ path: `/v1/jobs/${first.id}`, closes: false }).head,
      client.bytes({ path: '/v1/jobs/no-such-job', closes: false }).head,
      client.bytes({ path: `/v1/jobs/${second.id}` }).head,
    ]
    connection.write(Buffer.concat(requests))
    const replies = [await connection.next(), await connection.next(), await connection.next()]
    const [one, none, two] = replies
    assert(one && none && two, 'three answers')
    assert.equal(expectJob(one, 200, client).id, first.id)
    expectError(none, 'job_not_found')
    assert.equal(expectJob(two, 200, client).id, second.id)
    connection.destroy()
  },

  'a client of HTTP/1.0 is served, without chunks that it could not read': async (client) => {
    const { id } = await client.create(endless)
    const reply = await client.attempt({ path: `/v1/jobs/${id}`, version: 'HTTP/1.0' })
    if (isRuntimeRefusal(reply)) return
    assert(reply)
    assert.equal(reply.headers.has('transfer-encoding'), false)
    assert.equal(expectJob(reply, 200, client).id, id)
  },

  'header names are understood in any case': async (client) => {
    const { alice } = client.subject.keys
    const body = JSON.stringify(quick)
    const reply = await client.send({
      path: '/v1/generate',
      body,
      as: 'nobody',
      contentType: undefined,
      contentLength: undefined,
      headers: [
        ['AUTHORIZATION', `Bearer ${alice}`],
        ['cOnTeNt-TyPe', 'application/json'],
        ['CONTENT-LENGTH', String(body.length)],
      ],
    })
    expectJob(reply, 202, client)
  },

  'a job object survives the trip: JSON in UTF-8, of the declared length': async (client) => {
    const prompt = 'é 東京 🏗️ '.repeat(200)
    const created = await client.create({ ...quick, prompt })
    const reply = await client.send({ path: `/v1/jobs/${created.id}` })
    assert.equal(expectJob(reply, 200, client).input['prompt'], prompt)
    const length = reply.headers.get('content-length')
    if (length !== undefined) assert.equal(Number(length), Buffer.byteLength(reply.text))
  },

  'a request that is nonsense does not stop the server': async (client) => {
    for (const nonsense of [
      '\r\n\r\n',
      'GET\r\n\r\n',
      '\x16\x03\x01\x02\x00',
      'GET / HTTP/9.9\r\n\r\n',
      'x'.repeat(70_000),
    ]) {
      const connection = client.open()
      connection.write(Buffer.from(nonsense, 'latin1'))
      connection.end()
      const reply = await connection.next().catch(() => undefined)
      assert(!reply || reply.status < 500 || reply.status === 505, reply?.head)
      connection.destroy()
    }
    expectError(await client.send({ path: '/v1/jobs/x' }), 'job_not_found')
  },
}

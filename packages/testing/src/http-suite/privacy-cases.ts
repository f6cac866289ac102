import assert from 'node:assert/strict'
import { expectError, expectOneOf, isRuntimeRefusal } from './expect-error.ts'
import type { Reply } from './reply.ts'
import type { Cases } from './suite-client.ts'
import { expectJob } from './expect-job.ts'
import { endless, failing, quick, shortLifeMs, shortLived } from './suite-jobs.ts'

/** A reply without the parts that differ between any two replies: the request id and the date. */
function comparable(reply: Reply): { head: string; body: string } {
  const id = reply.headers.get('x-request-id') ?? ''
  const head = reply.head.replaceAll(id, 'ID').replace(/^date:.*$/im, '')
  return { head, body: reply.text.replaceAll(id, 'ID') }
}

export const privacyCases: Cases = {
  'unknown, foreign and expired jobs are the same to the byte, but for the request id': async (client) => {
    const foreign = await client.create(endless, { as: 'bob' })
    const finished = await client.createAndWait(quick, { as: 'bob' })
    const expired = await client.createAndWait(shortLived)
    await new Promise((resolve) => setTimeout(resolve, shortLifeMs + 200))
    const unknown = `${foreign.id.slice(0, -4)}0000`
    for (const kind of ['jobs', 'files'])
      for (const method of ['GET', 'HEAD']) {
        const ids = [unknown, foreign.id, finished.id, expired.id, 'x']
        const replies = await Promise.all(ids.map((id) => client.send({ method, path: `/v1/${kind}/${id}` })))
        for (const reply of replies) {
          assert.equal(reply.status, 404)
          if (method === 'GET') expectError(reply, 'job_not_found')
          assert.deepEqual(comparable(reply), comparable(replies[0] as Reply))
        }
      }
  },

  'every answer has a request id of its own': async (client) => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.send({ path: index % 2 ? '/v1/jobs/x' : '/v1/nothing' }),
      ),
    )
    assert.equal(new Set(replies.map((reply) => reply.headers.get('x-request-id'))).size, 20)
  },

  "a request id that a client sends can't break into headers or pages": async (client) => {
    for (const id of [
      '<script>alert(1)</script>',
      'x'.repeat(5000),
      '\u{e9}\u{e9}',
      'a b',
      '',
      '"',
      'a\tb',
    ]) {
      const reply = await client.send({ path: '/v1/jobs/x', headers: [['X-Request-Id', id]] })
      assert.match(reply.headers.get('x-request-id') ?? '', /^[\w.:-]{1,200}$/)
      expectError(reply, 'job_not_found')
    }
  },

  'no answer repeats a key, wherever the client has put it': async (client) => {
    const { alice, bob } = client.subject.keys
    const places = [
      { path: `/v1/jobs/${alice}` },
      { path: `/v1/files/x?n=${alice}` },
      { path: `/v1/${alice}` },
      { path: `/v1/generate?wait=${alice}`, body: quick },
      { path: '/v1/generate', body: `{"model":"${alice}"` },
      { path: '/v1/generate', body: quick, contentType: `text/${alice}` },
      { path: '/v1/jobs/x', headers: [['X-Request-Id', alice]] },
      { path: '/v1/jobs/x', as: 'nobody', headers: [['Authorization', `Bearer ${alice} ${bob}`]] },
      { path: '/v1/jobs/x', as: 'nobody', headers: [['Authorization', `Basic ${alice}`]] },
    ] as const
    for (const request of places) {
      const reply = await client.attempt(request)
      assert(reply && reply.status >= 400, request.path)
    }
  },

  "an owner can't find out by trying keys, ids or files what another has made": async (client) => {
    const job = await client.createAndWait({ ...quick, prompt: 'only for alice', num_outputs: 2 })
    for (const path of [
      `/v1/jobs/${job.id}`,
      `/v1/files/${job.id}`,
      `/v1/files/${job.id}?n=1`,
      `/v1/files/${job.id}?n=9`,
    ]) {
      const reply = await client.send({ path, as: 'bob' })
      expectError(reply, 'job_not_found')
      assert.doesNotMatch(reply.text, /alice|kite/)
    }
  },

  'what the vendor says to the operator of a failed job reaches no client': async (client) => {
    const job = await client.createAndWait({ ...failing, fail_cause: 'out of credit' })
    assert.equal(job.error, 'content_policy: No kites today.')
    // The input, with the cause in it, is shown; the words for the operator begin with the status.
    for (const path of [`/v1/jobs/${job.id}`, `/v1/files/${job.id}`, '/v1/jobs', `/v1/jobs/${job.id}/events`])
      assert.doesNotMatch((await client.send({ path })).text, /HTTP 500|detail/, path)
  },

  'forwarding headers of strangers change no URL': async (client) => {
    const headers = [
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Prefix', '/evil'],
      ['Forwarded', 'host=evil.example;proto=https'],
      ['X-Original-URL', '/evil'],
    ] as const
    const reply = await client.send({ path: '/v1/generate?wait=true', body: quick, headers })
    const { id } = expectJob(reply, 200, client)
    const redirect = await client.send({ path: `/v1/files/${id}`, headers })
    assert.doesNotMatch(reply.head + reply.text + redirect.head + redirect.text, /evil/)
  },

  'a Host header that is no host name, or comes twice, never becomes part of a URL': async (client) => {
    const names = [
      'evil.example/path?',
      'a b',
      '"><script>',
      'evil.example#',
      'user@evil.example',
      'evil.example:x',
      '',
    ]
    for (const hosts of [...names.map((name) => [name]), ['one.example', 'two.example']]) {
      const headers = hosts.map((host) => ['Host', host] as const)
      const reply = await client.attempt({ path: '/v1/generate', body: endless, headers })
      if (isRuntimeRefusal(reply)) continue
      if (reply?.status !== 202) {
        expectOneOf(reply, ['invalid_request', 'route_not_found'])
        continue
      }
      const { id, urls } = JSON.parse(reply.text) as { id: string; urls: { get: string } }
      const { pathname, search, hash, username, host } = new URL(urls.get)
      const expected = new URL(client.url(`/v1/jobs/${id}`))
      assert.deepEqual([pathname, search, hash, username], [expected.pathname, '', '', ''], urls.get)
      if (hosts.length > 1) assert.equal(host, expected.host)
      assert.doesNotMatch(reply.text, /<script|evil\.example\/path/)
    }
  },
}

import assert from 'node:assert/strict'
import { fakeFile } from '../fake-provider/fake-file.ts'
import { expectError } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, failing, quick, quickVideo } from './suite-jobs.ts'

/** The URL to which the file endpoint redirects the client. */
async function redirectOf(client: SuiteClient, path: string): Promise<string> {
  const reply = await client.send({ path })
  assert.equal(reply.status, 302, reply.head + reply.text)
  return new URL(reply.headers.get('location') ?? '', client.url(path)).href
}

async function bytesAt(client: SuiteClient, path: string): Promise<Buffer> {
  const reply = await client.follow(await redirectOf(client, path), { as: 'nobody' })
  assert.equal(reply.status, 200)
  return reply.body
}

export const fileCases: Cases = {
  'the file of a completed job is a 302 to an output under /v1/outputs': async (client) => {
    const { id } = await client.createAndWait(quick)
    const location = await redirectOf(client, `/v1/files/${id}`)
    const place = client.subject.linksTo ?? client.url('/v1/outputs/')
    assert(location.startsWith(place), location)
    assert(location.length > place.length + 20, 'a token')
  },

  'the URLs in data lead to the outputs, in their order': async (client) => {
    const job = await client.createAndWait({ ...quick, num_outputs: 3 })
    for (const [index, { url }] of job.data.entries()) {
      const redirect = await client.follow(url)
      assert.equal(redirect.status, 302)
      const output = await client.follow(redirect.headers.get('location') ?? '', { as: 'nobody' })
      assert.deepEqual(output.body, Buffer.from(fakeFile('image', index).bytes))
    }
  },

  'n absent or 0 is the first output, n=1 the second': async (client) => {
    const { id } = await client.createAndWait({ ...quick, num_outputs: 2 })
    const [none, zero, one] = await Promise.all(
      ['', '?n=0', '?n=1'].map((query) => bytesAt(client, `/v1/files/${id}${query}`)),
    )
    assert.deepEqual(none, Buffer.from(fakeFile('image', 0).bytes))
    assert.deepEqual(zero, none)
    assert.deepEqual(one, Buffer.from(fakeFile('image', 1).bytes))
  },

  'n beyond the outputs is 404 file_not_found': async (client) => {
    const { id } = await client.createAndWait({ ...quick, num_outputs: 2 })
    for (const n of ['2', '99', '-1', '9007199254740993', '99999999999999999999999'])
      expectError(await client.send({ path: `/v1/files/${id}?n=${n}` }), 'file_not_found')
  },

  'n that is not an integer, and n given twice, is a 400 that names it': async (client) => {
    const { id } = await client.createAndWait({ ...quick, num_outputs: 2 })
    const queries = ['n=1.5', 'n=abc', 'n=', 'n', 'n=1e0', 'n=0x1', 'n=%201', 'n=1%00', 'n=NaN', 'n=Infinity']
    for (const query of [...queries, 'n=%D9%A1', 'n=--1', 'n=-', 'n=1&n=1', 'n=0&n=1', 'n=__proto__'])
      expectError(await client.send({ path: `/v1/files/${id}?${query}` }), 'invalid_request', { param: 'n' })
  },

  'the file of a processing job is 404 file_not_ready, whatever n': async (client) => {
    const { id } = await client.create(endless)
    for (const query of ['', '?n=0', '?n=1'])
      expectError(await client.send({ path: `/v1/files/${id}${query}` }), 'file_not_ready')
  },

  'the file of a failed job is 404 file_not_found': async (client) => {
    const { id } = await client.createAndWait(failing)
    expectError(await client.send({ path: `/v1/files/${id}` }), 'file_not_found')
  },

  "the file of a job that is unknown or another owner's is 404 job_not_found": async (client) => {
    const { id } = await client.createAndWait(quick)
    expectError(await client.send({ path: `/v1/files/${id}`, as: 'bob' }), 'job_not_found')
    expectError(await client.send({ path: `/v1/files/${id}?n=1`, as: 'bob' }), 'job_not_found')
    expectError(await client.send({ path: '/v1/files/no-such-job' }), 'job_not_found')
  },

  'a video comes out as the video that went in': async (client) => {
    const { id } = await client.createAndWait(quickVideo)
    const output = await client.follow(await redirectOf(client, `/v1/files/${id}`), { as: 'nobody' })
    assert.equal(output.headers.get('content-type'), 'video/mp4')
    assert.deepEqual(output.body, Buffer.from(fakeFile('video').bytes))
  },

  'an output that the provider keeps is a 302 to its https URL': async (client) => {
    const output_urls = ['https://media.invalid/one.png', 'https://media.invalid/two.png?size=2']
    const { id } = await client.createAndWait({ ...quick, output_urls })
    assert.equal(await redirectOf(client, `/v1/files/${id}`), output_urls[0])
    assert.equal(await redirectOf(client, `/v1/files/${id}?n=1`), output_urls[1])
  },

  'no redirect ever leads to a script, a plain-text or local address, or one with a password': async (
    client,
  ) => {
    const urls = [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'http://media.invalid/plain.png',
      '//media.invalid/one.png',
      '/v1/jobs',
      'https://user:password@media.invalid/one.png',
      'https://media.invalid/\r\nSet-Cookie: stolen=1',
      'not a url',
    ]
    for (const url of urls) {
      const created = await client.send({
        path: '/v1/generate?wait=true',
        body: { ...quick, output_urls: [url] },
      })
      const { id } = expectJob(created, created.status, client)
      const reply = await client.send({ path: `/v1/files/${id}` })
      assert.equal(reply.headers.has('set-cookie'), false)
      if (reply.status !== 302) expectError(reply, 'file_not_found')
      else assert.match(reply.headers.get('location') ?? '', /^https:\/\/media\.invalid\/[^\s@]*$/, url)
    }
  },

  'any HTTP client that follows redirects gets the output in one call': async (client) => {
    if (client.subject.publicUrl) return
    const job = await client.createAndWait({ ...quick, num_outputs: 2 })
    const headers = { authorization: `Bearer ${client.subject.keys.alice}` }
    const response = await fetch(job.data[1]?.url ?? '', { headers })
    assert.equal(response.status, 200)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(fakeFile('image', 1).bytes))
  },
}

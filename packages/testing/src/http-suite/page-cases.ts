import assert from 'node:assert/strict'
import type { Reply } from './reply.ts'
import type { SuiteRequest } from './request.ts'
import type { Cases } from './suite-client.ts'
import { endless, quick, suitePage } from './suite-jobs.ts'

/** The headers of a request from a page of this origin. */
const fromPage = (origin: string = suitePage) => [['Origin', origin]] as const

/** The preflight that a browser sends before a page of this origin may create a job with its key. */
const preflight = (origin: string = suitePage) => ({
  method: 'OPTIONS',
  as: 'nobody' as const,
  headers: [
    ...fromPage(origin),
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,content-type'],
  ] as const,
})

function expectShownTo(page: string, reply: Reply): void {
  assert.equal(reply.headers.get('access-control-allow-origin'), page, reply.head)
  assert.match(reply.headers.get('vary') ?? '', /\borigin\b/i)
  const exposed = reply.headers.get('access-control-expose-headers') ?? ''
  for (const name of ['location', 'retry-after', 'x-request-id']) assert(exposed.includes(name), exposed)
}

export const pageCases: Cases = {
  'a preflight of a page that is let in is answered without a key': async (client) => {
    for (const path of ['/v1/generate', '/v1/jobs/some-job', '/v1/files/some-job', '/v1/outputs/x']) {
      const reply = await client.send({ path, ...preflight() })
      assert.equal(reply.status, 204)
      assert.equal(reply.headers.get('access-control-allow-origin'), suitePage)
      assert.equal(reply.headers.get('access-control-allow-headers'), 'authorization,content-type')
      assert.match(reply.headers.get('access-control-allow-methods') ?? '', /\bPOST\b/)
    }
  },

  'a page that is let in can read every reply, refusals and outputs too': async (client) => {
    const { id } = await client.createAndWait(quick)
    const requests: readonly SuiteRequest[] = [
      { path: '/v1/generate', body: endless },
      { path: '/v1/generate?wait=true', body: quick },
      { path: `/v1/jobs/${id}` },
      { path: `/v1/files/${id}` },
      { path: '/v1/jobs/no-such-job' },
      { path: '/v1/jobs/x', as: 'nobody' },
      { path: '/v1/nothing' },
      { path: '/v1/generate', method: 'PUT' },
      { path: '/v1/generate', body: { model: 'no-such-model' } },
    ]
    for (const request of requests)
      expectShownTo(suitePage, await client.send({ ...request, headers: fromPage() }))
    if (client.subject.linksTo !== undefined) return
    const { headers } = await client.send({ path: `/v1/files/${id}` })
    for (const range of ['bytes=0-', 'bytes=0-3', 'bytes=99999999-']) {
      const request = { as: 'nobody', headers: [...fromPage(), ['Range', range]] } as const
      expectShownTo(suitePage, await client.follow(headers.get('location') ?? '', request))
    }
  },

  'a page that is not let in gets no permission': async (client) => {
    for (const origin of ['https://evil.example', `${suitePage}.evil.example`, 'null'])
      for (const request of [{}, preflight(origin)]) {
        const reply = await client.send({ path: '/v1/jobs/x', headers: fromPage(origin), ...request })
        assert.doesNotMatch(reply.head, /access-control-/i)
      }
  },
}

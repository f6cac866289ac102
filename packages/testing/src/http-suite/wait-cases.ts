import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Cases } from './suite-client.ts'
import { endless, failing, quick, quickVideo, suiteLimits, unhurried } from './suite-jobs.ts'

/**
 * The limit for a request that must not wait, in milliseconds: below the wait budget, but enough for a
 * machine under load to answer.
 */
const soonMs = suiteLimits.waitBudgetMs - 700

async function timed<T>(run: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startedAt = performance.now()
  return { result: await run(), tookMs: performance.now() - startedAt }
}

export const waitCases: Cases = {
  'wait=true answers 200 with the finished job, on every create endpoint': async (client) => {
    const creates = [
      ['/v1/generate', unhurried],
      ['/v1/images/generations', quick],
      ['/v1/video/generations', quickVideo],
    ] as const
    for (const [path, body] of creates) {
      const reply = await client.send({ path: `${path}?wait=true`, body })
      const job = expectJob(reply, 200, client)
      assert.equal(job.status, 'completed')
      assert.equal(new URL(reply.headers.get('location') ?? '', client.url(path)).href, job.urls.get)
    }
  },

  'wait=true answers 200 for a job that fails: failing is an outcome, not an error': async (client) => {
    const reply = await client.send({ path: '/v1/generate?wait=true', body: failing })
    assert.equal(expectJob(reply, 200, client).status, 'failed')
  },

  'a wait beyond the budget is a 202 with a job that can be polled': async (client) => {
    const { result, tookMs } = await timed(() =>
      client.send({ path: '/v1/generate?wait=true', body: endless }),
    )
    const job = expectJob(result, 202, client)
    assert.equal(job.status, 'processing')
    assert.equal(new URL(result.headers.get('location') ?? '', client.url('/')).href, job.urls.get)
    assert(tookMs > suiteLimits.waitBudgetMs * 0.8, `gave up after ${tookMs} ms`)
    assert(tookMs < suiteLimits.waitBudgetMs + 5000, `held for ${tookMs} ms`)
    assert.equal((await client.job(job.id)).status, 'processing')
  },

  'a job that outlived the wait is completed all the same': async (client) => {
    const body = { ...quickVideo, delay_ms: suiteLimits.waitBudgetMs + 500 }
    const job = expectJob(await client.send({ path: '/v1/generate?wait=true', body }), 202, client)
    assert.equal((await client.finished(job.id)).status, 'completed')
  },

  'without wait, and with wait=false, a create does not wait': async (client) => {
    for (const query of ['', '?wait=false']) {
      const { result, tookMs } = await timed(() =>
        client.send({ path: `/v1/generate${query}`, body: endless }),
      )
      expectJob(result, 202, client)
      assert(tookMs < soonMs, `held for ${tookMs} ms`)
    }
  },

  'wait in any other spelling is a 400 that names it, and makes no job': async (client) => {
    const spellings = [
      'wait=1',
      'wait=0',
      'wait=TRUE',
      'wait=True',
      'wait=yes',
      'wait=',
      'wait',
      'wait=true%20',
      'wait=null',
    ]
    for (const query of spellings) {
      const headers = [['Idempotency-Key', `wait-${query}`]] as const
      const reply = await client.send({ path: `/v1/generate?${query}`, body: quick, headers })
      expectError(reply, 'invalid_request', { param: 'wait' })
      await client.create({ ...quick, prompt: 'another' }, { headers })
    }
  },

  'wait given twice is a 400 that names it, even when both agree': async (client) => {
    for (const query of [
      'wait=true&wait=true',
      'wait=true&wait=false',
      'wait=false&wait=true',
      'wait=true&wait=',
    ]) {
      const reply = await client.send({ path: `/v1/generate?${query}`, body: quick })
      expectError(reply, 'invalid_request', { param: 'wait' })
    }
  },

  'percent-encoding does not change what wait means': async (client) => {
    for (const query of ['w%61it=true', 'wait=%74rue'])
      expectJob(await client.send({ path: `/v1/generate?${query}`, body: quick }), 200, client)
    expectError(await client.send({ path: '/v1/generate?w%61it=1', body: quick }), 'invalid_request', {
      param: 'wait',
    })
  },

  'Prefer: wait=N waits, and the answer says that it was honoured': async (client) => {
    const reply = await client.send({
      path: '/v1/generate',
      body: unhurried,
      headers: [['Prefer', 'wait=10']],
    })
    assert.equal(expectJob(reply, 200, client).status, 'completed')
    assert.match(reply.headers.get('preference-applied') ?? '', /^wait(=\d+)?$/)
  },

  'Prefer: wait=1 waits for one second, not for the whole budget': async (client) => {
    const headers = [['Prefer', 'wait=1']] as const
    const { result, tookMs } = await timed(() =>
      client.send({ path: '/v1/generate', body: endless, headers }),
    )
    expectJob(result, 202, client)
    assert.match(result.headers.get('preference-applied') ?? '', /^wait/)
    assert(tookMs > 800 && tookMs < suiteLimits.waitBudgetMs - 100, `waited for ${tookMs} ms`)
  },

  'Prefer: wait=999 is capped at the budget': async (client) => {
    async function capped(seconds: string): Promise<void> {
      const headers = [['Prefer', `wait=${seconds}`]] as const
      const { result, tookMs } = await timed(() =>
        client.send({ path: '/v1/generate', body: endless, headers }),
      )
      expectJob(result, 202, client)
      assert(tookMs < suiteLimits.waitBudgetMs + 5000, `waited for ${tookMs} ms`)
    }
    await Promise.all(['999', '99999999999999999999'].map(capped))
  },

  // RFC 7240, 2: a server ignores preferences that it does not understand. Their names are case-insensitive,
  // and they may be spread over several headers.
  'a preference that makes no sense is ignored': async (client) => {
    for (const prefer of [
      'wait=soon',
      'wait',
      'wait=-5',
      'wait=0x9',
      'respond-async',
      ';;=,,"',
      'await=9',
      'wait=0',
    ]) {
      const headers = [['Prefer', prefer]] as const
      const { result, tookMs } = await timed(() =>
        client.send({ path: '/v1/generate', body: endless, headers }),
      )
      expectJob(result, 202, client)
      assert(tookMs < soonMs, `${prefer} held for ${tookMs} ms`)
    }
  },

  'Prefer is understood in a list, in capitals, and split over two headers': async (client) => {
    for (const headers of [
      [['Prefer', 'respond-async, wait=10']],
      [['prefer', 'Wait=10']],
      [
        ['Prefer', 'return=minimal'],
        ['Prefer', 'wait=10'],
      ],
    ] as const)
      expectJob(await client.send({ path: '/v1/generate', body: unhurried, headers }), 200, client)
  },

  'wait=false wins over a preference to wait': async (client) => {
    const headers = [['Prefer', 'wait=2']] as const
    const path = '/v1/generate?wait=false'
    const { result, tookMs } = await timed(() => client.send({ path, body: endless, headers }))
    expectJob(result, 202, client)
    assert.equal(result.headers.has('preference-applied'), false)
    assert(tookMs < soonMs, `held for ${tookMs} ms`)
  },

  'clients that go away while they wait harm neither the job nor the server': async (client) => {
    const headers = [['Idempotency-Key', 'gone-while-waiting']] as const
    const { id } = await client.create(unhurried, { headers })
    const { head, body } = client.bytes({ path: '/v1/generate?wait=true', body: unhurried, headers })
    const leaving = Array.from({ length: 5 }, () => client.open())
    for (const connection of leaving) connection.write(Buffer.concat([head, body]))
    await client.create({ ...quick, prompt: 'meanwhile' })
    for (const connection of leaving) connection.destroy()
    assert.equal((await client.finished(id)).status, 'completed')
    const reply = await client.send({ path: '/v1/generate?wait=true', body: unhurried, headers })
    assert.equal(expectJob(reply, 200, client).id, id)
  },

  'clients that wait for the same job are all answered when it finishes': async (client) => {
    const headers = [['Idempotency-Key', 'many-waiters']] as const
    const first = await client.create(unhurried, { headers })
    const request = { path: '/v1/generate?wait=true', body: unhurried, headers }
    async function waitFor(): Promise<void> {
      for (;;) {
        const reply = await client.send(request)
        if (reply.status !== 409) return assert.equal(expectJob(reply, 200, client).id, first.id)
        expectError(reply, 'idempotency_in_progress')
      }
    }
    await Promise.all(Array.from({ length: 10 }, waitFor))
  },
}

import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { expect, test } from 'vitest'

const creates = 20
const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 })
const request = [
  'POST /v1/generate HTTP/1.1',
  'Host: media.test',
  'Authorization: Bearer alice-key',
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

test.each([
  ['charges for one submit of a token', { dedupesSubmits: true }],
  // The store in memory needs no claim of its own for it: if the process dies, the job ends with it.
  ['can say nothing about an earlier submit', {}],
])(
  'a create for a provider that %s makes at most 40 promises and 4 timers over HTTP, its submit included',
  async (_, options) => {
    const service = createGenerationService({ providers: [fakeProvider(options)], log: quietLog() })
    const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const made = { PROMISE: 0, Timeout: 0 }
    const madeBefore: (typeof made)[] = []
    const hook = createHook({
      init(_id, type) {
        if (type === 'PROMISE' || type === 'Timeout') made[type]++
      },
    })
    // The client uses no promises, because those would be counted too.
    const answered = new Promise<void>((resolve) => {
      let answers = 0
      socket.on('data', (data) => {
        answers += data.toString().split('HTTP/1.1 202').length - 1
        madeBefore.push({ ...made })
        if (answers === creates) return setImmediate(resolve)
        if (answers === 1) hook.enable()
        socket.write(request)
      })
    })
    socket.write(request)
    await answered
    hook.disable()
    socket.destroy()
    server.close()
    await service.close()
    // Half of the creates make no more than this. The others may share their time with work that an earlier test has left.
    const usual = (type: keyof typeof made) => {
      const counts = madeBefore.slice(1).map((sum, create) => sum[type] - madeBefore[create]![type])
      return counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]
    }
    expect(usual('PROMISE')).toBeLessThanOrEqual(40)
    expect(usual('Timeout')).toBeLessThanOrEqual(4)
  },
)

import { Writable } from 'node:stream'
import { createGenerationService, type Log } from '@genmount/core'
import { fakeProvider, manualClock } from '@genmount/testing'
import pino from 'pino'
import { expect, test } from 'vitest'
import winston from 'winston'

function collecting() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  return { stream, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

const loggers: Record<string, (stream: Writable) => Log> = {
  pino: (stream) => pino(stream),
  winston: (stream) =>
    winston.createLogger({
      format: winston.format.json(),
      transports: [new winston.transports.Stream({ stream })],
    }),
}

test.each(Object.entries(loggers))(
  'a failed job is one log entry of %s with owner, model and code, and an error is logged with its stack',
  async (_name, loggerTo) => {
    const { stream, entries } = collecting()
    const clock = manualClock()
    const provider = fakeProvider({
      clock,
      behave: [{ failure: { code: 'provider_failed', message: 'The picture is 100%done, %s.' } }],
    })
    const onJobEnd = () => {
      throw new Error('The counter of jobs is away.')
    }
    const service = createGenerationService({ providers: [provider], clock, log: loggerTo(stream), onJobEnd })
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    await clock.advance(60_000)
    const failures = entries().filter((entry) => entry['job'] === job.id && entry['code'] !== undefined)
    expect(failures).toEqual([
      expect.objectContaining({
        owner: 'alice',
        model: 'fake-image',
        provider: 'fake',
        code: 'provider_failed',
      }),
    ])
    expect(JSON.stringify(entries())).toMatch(/The counter of jobs is away\.\\n +at /)
    await service.close()
  },
)

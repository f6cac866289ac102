import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, manualClock } from '@genmount/testing'
import type { Log } from '../contracts/log.ts'

/** A line of a logger, as its JSON format would write it. */
type Line = Record<string, unknown>

/**
 * A logger with the calls of pino 10: an object and then the message, or the message alone. Other arguments are
 * dropped.
 */
function fakePino() {
  const lines: Line[] = []
  const level =
    (name: string) =>
    (first: unknown, ...rest: unknown[]) => {
      if (typeof first !== 'object') return void lines.push({ level: name, msg: first })
      const { err, ...fields } = first as Line
      const shown = err instanceof Error ? { type: err.name, message: err.message, stack: err.stack } : err
      lines.push({ level: name, ...fields, ...(shown !== undefined && { err: shown }), msg: rest[0] })
    }
  const pino = { warn: level('warn'), error: level('error'), child: () => pino, bindings: () => ({}) }
  return { log: pino as unknown as Log, lines }
}

/** A logger with the calls of winston 3 with `format.json()`: fields are dropped when the message has a directive. */
function fakeWinston() {
  const lines: Line[] = []
  const level =
    (name: string) =>
    (message: string, meta: Line = {}) => {
      const isKept = !/%[scdjifoO%]/.test(message)
      const info = { ...(isKept && meta), level: name, message }
      lines.push(JSON.parse(JSON.stringify(info)) as Line)
    }
  const winston = { warn: level('warn'), error: level('error'), child: () => winston }
  return { log: winston as unknown as Log, lines }
}

/** A logger that records the calls of a console. */
function fakeConsole() {
  const lines: unknown[][] = []
  const note = (...words: unknown[]) => void lines.push(words)
  return { log: { warn: note, error: note, groupEnd() {} } as Log, lines }
}

/** Runs a job that fails, and an `onJobEnd` that throws an error with a cause. */
async function runWith(log: Log): Promise<{ id: string; cause: Error }> {
  const clock = manualClock()
  const cause = new Error('The ledger is locked.', { cause: new Error('EBUSY') })
  const failure = { code: 'provider_failed', message: 'The picture is 100%done, %s and %o.' } as const
  const service = createGenerationService({
    providers: [fakeProvider({ clock, behave: [{ failure }] })],
    clock,
    log,
    onJobEnd: () => Promise.reject(cause),
  })
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await clock.advance(60_000)
  await service.close()
  return { id: job.id, cause }
}

test('pino gets the fields of the job and the error with its stack', async () => {
  const { log, lines } = fakePino()
  const { id, cause } = await runWith(log)
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      job: id,
      msg: expect.stringContaining('onJobEnd'),
      err: { type: 'Error', message: cause.message, stack: cause.stack },
    }),
  )
  expect(lines.every(({ msg }) => typeof msg === 'string')).toBe(true)
})

test('winston keeps the fields and the whole stack in its JSON, whatever the vendor’s words are', async () => {
  const { log, lines } = fakeWinston()
  const { id, cause } = await runWith(log)
  const told = lines.find(({ message }) => String(message).includes('onJobEnd'))
  expect(told).toMatchObject({ level: 'error', job: id })
  expect(told?.['stack']).toContain(cause.stack)
  expect(told?.['stack']).toContain('Caused by: Error: EBUSY')
  expect(lines.find(({ code }) => code === 'provider_failed')).toMatchObject({ job: id, owner: 'alice' })
})

test('a console gets the message, and the error itself, whose stack it prints once', async () => {
  const { log, lines } = fakeConsole()
  const { id, cause } = await runWith(log)
  expect(lines).toContainEqual([
    expect.stringContaining('onJobEnd'),
    expect.objectContaining({ job: id, cause }),
  ])
  expect(lines.some(([message]) => /%[a-z%]/i.test(String(message)))).toBe(false)
})

test('a log line without a job has only a message', async () => {
  const { log, lines } = fakeConsole()
  await runWith(log)
  expect(lines).toContainEqual([expect.stringContaining('keeps jobs in memory')])
})

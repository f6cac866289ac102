import { expect, test } from 'vitest'
import { underLimit } from './under-limit.ts'

const never = () => new Promise<never>(() => {})

test('a call that gives an answer gives it', async () => {
  expect(await underLimit(new AbortController().signal, 60_000, async () => 'film')).toBe('film')
})

test('a call that ignores its signal is not waited for beyond its time', async () => {
  let aborted: AbortSignal | undefined
  const call = underLimit(new AbortController().signal, 20, (signal) => {
    aborted = signal
    return never()
  })
  await expect(call).rejects.toThrow('No answer within 20 ms.')
  expect(aborted?.aborted).toBe(true)
})

test('a call that is called off ends, and one that was called off before does not begin', async () => {
  const controller = new AbortController()
  const call = underLimit(controller.signal, 60_000, never)
  controller.abort(new Error('Off.'))
  await expect(call).rejects.toThrow('Off.')
  let hasBegun = false
  const late = underLimit(controller.signal, 60_000, async () => void (hasBegun = true))
  await expect(late).rejects.toThrow('Off.')
  expect(hasBegun).toBe(false)
})

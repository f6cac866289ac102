import { describe, expect, test } from 'vitest'
import { exampleJob, type FakeProviderOptions, fakeWorld, manualClock } from '@genmount/testing'
import { clockSteps } from './clock-steps.ts'

const minuteMs = 60_000

describe('a job that was written before the clock was set', () => {
  function setUp() {
    const clock = manualClock()
    const steps = clockSteps(clock)
    steps.look()
    const now = clock.now()
    const written = exampleJob({
      phase: 'running',
      updatedAt: now,
      createdAt: now,
      dueAt: now + 5000,
      claim: { until: now + 30_000 },
      deadlineAt: now + 10 * minuteMs,
      expiresAt: now + 1000 * minuteMs,
    })
    return { clock, steps, written, now }
  }

  test.each([minuteMs, 60 * minuteMs, -59 * minuteMs])(
    'has as much time until its deadline as before, when the clock is set by %d ms',
    async (byMs) => {
      const { clock, steps, written, now } = setUp()
      await clock.advance(1000)
      clock.set(clock.now() + byMs)
      expect(steps.retimed(written)).toMatchObject({
        dueAt: now + 5000 + byMs,
        claim: { until: now + 30_000 + byMs },
        deadlineAt: now + 10 * minuteMs + byMs,
        createdAt: now,
        expiresAt: now + 1000 * minuteMs,
      })
    },
  )

  test('is unchanged once the clock is right again', async () => {
    const { clock, steps, written } = setUp()
    clock.set(clock.now() + 60 * minuteMs)
    steps.look()
    await clock.advance(1000)
    clock.set(clock.now() - 60 * minuteMs)
    expect(steps.retimed(written)).toBe(written)
  })

  test('is told apart from a job that was written after the clock was set', async () => {
    const { clock, steps, written } = setUp()
    clock.set(clock.now() + 60 * minuteMs)
    steps.look()
    await clock.advance(1000)
    const later = { ...written, updatedAt: clock.now() }
    expect(steps.retimed(later)).toBe(later)
  })

  test('keeps its instants of completion and expiry, however the clock is set', () => {
    const { clock, steps, written } = setUp()
    const { dueAt: _, ...done } = { ...written, phase: 'completed' as const }
    clock.set(clock.now() + 60 * minuteMs)
    expect(steps.retimed(done)).toBe(done)
  })

  test('has, in a process that started after the step, the time that was left when that process first saw the job', async () => {
    const { clock, written, now } = setUp()
    clock.set(now - 59 * minuteMs)
    const steps = clockSteps(clock)
    expect(steps.retimed(written)).toMatchObject({ dueAt: now + 5000 - 59 * minuteMs })
    await clock.advance(5000)
    expect(steps.retimed(written)).toMatchObject({ dueAt: clock.now() })
  })

  test.each([
    [0, 120, 1440],
    [0, -120, 60],
    [11_520, -7200, -4320],
    [1440, -4320, 1440],
  ])(
    'has the time that was left then, in a process that saw the clock being set by %d minutes, and was frozen while the clock was set by %d minutes, the job was written, and the clock was set by %d minutes',
    async (seenMinutes, firstMinutes, secondMinutes) => {
      const { clock, steps, written } = setUp()
      clock.set(clock.now() + seenMinutes * minuteMs)
      steps.look()
      await clock.advance(20 * minuteMs)
      steps.look()
      clock.set(clock.now() + firstMinutes * minuteMs)
      const at = clock.now()
      const job = { ...written, updatedAt: at, dueAt: at + 5000, deadlineAt: at + 10 * minuteMs }
      clock.set(at + secondMinutes * minuteMs)
      expect(steps.retimed(job)).toMatchObject({ deadlineAt: clock.now() + 10 * minuteMs })
      await clock.advance(minuteMs)
      expect(steps.retimed({ ...job })).toMatchObject({ deadlineAt: clock.now() + 9 * minuteMs })
    },
  )

  test('has its time also if it waits for its turn and was written by the old clock, in a process that has not seen yet that the clock was set', async () => {
    const { clock, steps } = setUp()
    const start = clock.now()
    clock.set(start + 24 * 60 * minuteMs)
    steps.look()
    await clock.advance(minuteMs)
    const at = start + minuteMs
    const late = exampleJob({ phase: 'accepted', updatedAt: at, dueAt: at, deadlineAt: at + 10 * minuteMs })
    expect(steps.retimed(late).deadlineAt).toBeGreaterThan(clock.now() + 8 * minuteMs)
  })

  test('is late if it has waited for its turn until its deadline while no process lived', async () => {
    const { clock, written, now } = setUp()
    await clock.advance(20 * minuteMs)
    const accepted = { ...written, phase: 'accepted' } as const
    expect(clockSteps(clock).retimed(accepted).deadlineAt).toBe(now + 10 * minuteMs)
  })

  test('is not moved by a clock that runs slightly fast or slow', async () => {
    const { clock, steps, written } = setUp()
    for (let second = 0; second < 100; second++) {
      await clock.advance(1000)
      clock.set(clock.now() + 50)
      steps.look()
    }
    expect(steps.retimed(written)).toBe(written)
  })
})

describe('in a living process', () => {
  async function running(fake: FakeProviderOptions) {
    const world = fakeWorld(fake)
    const { id } = await world.create()
    expect(await world.jobAfter(10_000, id)).toMatchObject({ phase: 'running' })
    return { ...world, service: world.service, id }
  }
  const paced = { behave: [{ delayMs: 0, pollAfterMs: 5000, poll: [] }] }

  test.each([10 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs])(
    'a running job does not fail when the clock is set ahead by %d ms, and keeps its deadline',
    async (byMs) => {
      const working = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 5000 } } as const
      const { clock, service, id } = await running({ behave: [{ ...paced.behave[0], poll: working }] })
      clock.set(clock.now() + byMs)
      await clock.advance(15 * minuteMs)
      expect(await service.get(id, 'alice')).toMatchObject({ phase: 'running' })
      await clock.advance(15 * minuteMs)
      expect(await service.get(id, 'alice')).toMatchObject({
        phase: 'failed',
        error: { code: 'deadline_exceeded' },
      })
      await service.close()
    },
  )

  test('a running job is polled on although the clock is put back by 59 minutes, and ends after its start', async () => {
    const { clock, provider, service, id } = await running({
      behave: [
        {
          delayMs: 12_000,
          answer: { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 15_000 } },
        },
      ],
    })
    const polls = provider.polls.length
    clock.set(clock.now() - 59 * minuteMs)
    await clock.advance(minuteMs)
    expect(provider.polls.length).toBeGreaterThan(polls)
    const { phase, createdAt, startedAt = 0, completedAt = 0 } = await service.get(id, 'alice')
    expect(phase).toBe('completed')
    expect(startedAt).toBeGreaterThanOrEqual(createdAt)
    expect(completedAt).toBeGreaterThanOrEqual(startedAt)
    await service.close()
  })
})

import { describe, expect, test } from 'vitest'
import { until } from '../until.ts'
import { expectNoPictureLost, makingPictures } from './paid-calls-at-stop.ts'
import { signalled } from './standalone-server.ts'

describe('while OpenAI makes eight pictures that are paid for', () => {
  // Longer than servers have ever waited for all submits alike.
  test('SIGTERM lets a standalone server wait for them, refuse creates, deliver all, and exit with 0', () =>
    expectNoPictureLost({ example: 'standalone-node', pictureMs: 7000 }))

  test('a standalone server with STOP_WITHIN_MS ends within that time, and names the jobs without an answer', async () => {
    const env = { STOP_WITHIN_MS: '4000' }
    const { server, phases } = await makingPictures({ example: 'standalone-node', pictureMs: 60_000, env })
    const { exit, tookMs } = await signalled(server, 'SIGTERM')
    expect(exit).toBe(0)
    expect(tookMs).toBeLessThan(4000)
    expect(server.output).toContain('The service closes with steps under way on gen_')
    expect(phases()).toEqual(Array(8).fill('submitting'))
  })

  test('Ctrl+C ends a standalone server at once when it is pressed again, but not when npm sends it twice', async () => {
    const { server } = await makingPictures({ example: 'standalone-node', pictureMs: 60_000 })
    server.child.kill('SIGINT')
    await server.heard(/Press Ctrl\+C again to end it at once/)
    server.child.kill('SIGINT')
    await until(() => /for at most \d+ s more[^]*for at most \d+ s more/.test(server.output))
    expect(server.hasEnded).toBe(false)
    const { exit, tookMs } = await signalled(server, 'SIGINT')
    expect(exit).toBe('SIGINT')
    expect(tookMs).toBeLessThan(2000)
  })
})

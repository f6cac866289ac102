import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The longest time for which the event loop did nothing else than a part of `run`, in milliseconds. */
export async function longestBlockOf(run: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await new Promise((resolve) => setTimeout(resolve, 20))
  delays.reset()
  await run()
  await new Promise((resolve) => setTimeout(resolve, 20))
  delays.disable()
  return delays.max / 1e6
}

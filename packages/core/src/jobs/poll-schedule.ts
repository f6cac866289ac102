/** No poll sooner than this after the provider's last word, unless the provider itself asks for it. */
export const minPollIntervalMs = 1000

const maxPollIntervalMs = 10_000
const learningRate = 0.2

/** Decides when to ask a provider again. Learns how long each model takes, for as long as the process lives. */
export interface PollSchedule {
  /** Milliseconds until the next poll of a task that has been running for `elapsedMs`. */
  delayMs(model: string, elapsedMs: number): number
  /** Learns from a task that took `durationMs`. */
  observe(model: string, durationMs: number): void
}

/**
 * Few polls while a task cannot be done yet, closer ones around the time when its model usually is, and ever wider
 * ones for a task that is late.
 */
export function pollSchedule(
  models: readonly { readonly id: string; readonly typicalMs?: number | undefined }[],
): PollSchedule {
  const typicalMs = new Map<string, number>()
  for (const model of models) if (model.typicalMs !== undefined) typicalMs.set(model.id, model.typicalMs)

  return {
    delayMs(model, elapsedMs) {
      const usual = typicalMs.get(model) ?? 0
      const early = usual * 0.9 - elapsedMs
      const delay = early > 0 ? early : Math.abs(elapsedMs - usual) * 0.25
      return Math.min(maxPollIntervalMs, Math.max(minPollIntervalMs, delay))
    },
    observe(model, durationMs) {
      const usual = typicalMs.get(model)
      typicalMs.set(model, usual === undefined ? durationMs : usual + learningRate * (durationMs - usual))
    },
  }
}

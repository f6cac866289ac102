import type { OutputModeration, OutputModerator } from '../moderation/moderate-outputs.ts'
import type { Moderate, ModeratedInput } from '../moderation/moderate.ts'
import type { OptionalParts } from './optional-parts.ts'

/** If the code that checks outputs could not be loaded, the next try follows after this many milliseconds. */
const pauseMs = 10_000

/** The checks of the option `moderate`. Each is absent when the app does not check this. */
export interface ServiceModeration {
  readonly input?: ((given: ModeratedInput) => Promise<void>) | undefined
  readonly outputs?: OutputModerator | undefined
}

/** Makes the checks that the option `moderate` asks for. */
export function serviceModeration(
  moderate: Moderate | undefined,
  parts: OptionalParts,
  context: OutputModeration,
): ServiceModeration {
  if (!moderate) return {}
  const { clock } = context
  const whenLoaded = parts.load('moderate', (code) => code)
  const { input, outputs } = moderate
  return {
    input: input && ((given) => whenLoaded((code) => code.moderateInput(input, clock, given))),
    outputs:
      outputs &&
      ((job, made) =>
        whenLoaded((code) => code.moderateOutputs(outputs, context, job, made)).catch(() => {
          return { type: 'postponed', retryAt: clock.now() + pauseMs }
        })),
  }
}

import type { Clock } from '../contracts/clock.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Moderate, ModeratedInput } from './moderate.ts'
import { refusalIn } from './refusal.ts'

/** How long the app may check an input, in milliseconds. The client of the create waits for this check. */
const limitMs = 30_000

/**
 * Lets the app check an input.
 * @throws GenerationError `content_policy` when the app refuses; `moderation_unavailable` when the app has not decided
 */
export async function moderateInput(
  look: NonNullable<Moderate['input']>,
  clock: Clock,
  request: ModeratedInput,
): Promise<void> {
  let why: string | undefined
  try {
    why = refusalIn(await withinLimit(clock, limitMs, 'app’s moderate.input', () => look(request)))
  } catch (cause) {
    const message = 'The input could not be checked against the rules on content. Try again later.'
    throw new GenerationError('moderation_unavailable', message, { cause })
  }
  if (why !== undefined) throw new GenerationError('content_policy', why)
}

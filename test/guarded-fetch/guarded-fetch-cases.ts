import { addressCases } from './address-cases.ts'
import { answerCases } from './answer-cases.ts'
import { endingCases } from './ending-cases.ts'
import { lookUpCases } from './look-up-cases.ts'
import { postCases } from './post-cases.ts'
import { redirectCases } from './redirect-cases.ts'

/** Named promises, each of which rejects when it does not hold. The same on Node, Deno and Bun. */
export const guardedFetchCases: Record<string, () => Promise<void>> = {
  ...addressCases,
  ...lookUpCases,
  ...redirectCases,
  ...answerCases,
  ...endingCases,
  ...postCases,
}
